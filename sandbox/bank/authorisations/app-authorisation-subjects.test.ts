/** Tests the decoupled approach for consents, cancellations and baskets. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { bankTestClient } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { consentRequest, headersOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const danish = bankTestClient(() => tested, 'KATTDK22')
const swedish = bankTestClient(() => tested, 'VASASESS')
const withBaskets = bankTestClient(() => tested, 'MALBSESS')

describe('every subject of an authorisation', () => {
  test('is signed in the app: consents', async () => {
    const { bank, tpp } = danish
    const made = await tpp.send('POST', '/consents', { body: consentRequest(), headers: headersOf(bank) })
    const path = `/consents/${made.text('consentId')}`
    const started = await tpp.send('POST', `${path}/authorisations`, { body: {}, headers: headersOf(bank) })
    expect(started.headers.get('aspsp-sca-approach')).toBe('DECOUPLED')
    await tpp.control('POST', `/authorisations/${started.text('authorisationId')}/sign`)
    expect((await tpp.send('GET', `${path}/status`)).text('consentStatus')).toBe('valid')
  })

  test('cancellations', async () => {
    const { bank, tpp, place } = swedish
    const day = FIRST_DAY.add({ days: 14 }).toString()
    const payment = `${bank.payments}/${(await place({ requestedExecutionDate: day })).text('paymentId')}`
    await tpp.sign(`${payment}/authorisations`)
    expect((await tpp.send('DELETE', payment)).status).toBe(202)
    const headers = { ...headersOf(bank), 'TPP-Redirect-Preferred': 'false' }
    const started = await tpp.send('POST', `${payment}/cancellation-authorisations`, { body: {}, headers })
    expect(started.text('challengeData.data.0')).toMatch(/^bankid\./)
    await tpp.control('POST', `/authorisations/${started.text('authorisationId')}/sign`)
    expect((await tpp.send('GET', `${payment}/status`)).text('transactionStatus')).toBe('CANC')
  })

  test('baskets, also those with a payment that two users sign', async () => {
    const { bank, tpp, place } = withBaskets
    const one = (await place({ instructedAmount: { currency: 'SEK', amount: '71.00' } })).text('paymentId')
    const two = (await place({ debtorAccount: bank.account.twoSigners })).text('paymentId')
    const headers = { ...headersOf(bank), 'TPP-Redirect-Preferred': 'false', 'Qr-Code-Required': 'true' }
    const made = await tpp.send('POST', '/signing-baskets', { body: { paymentIds: [one, two] }, headers })
    const path = `/signing-baskets/${made.text('basketId')}`
    const signAs = async (user: string) => {
      const requested = { body: {}, headers: { ...headers, 'PSU-ID': user } }
      const started = await tpp.send('POST', `${path}/authorisations`, requested)
      if (started.status === 201) {
        expect(started.text('challengeData.imageLink')).toContain('/codes/')
        await tpp.control('POST', `/authorisations/${started.text('authorisationId')}/sign`, { userId: user })
      }
      return started.status
    }
    expect(await signAs(bank.user)).toBe(201)
    expect((await tpp.send('GET', `${path}/status`)).text('transactionStatus')).toBe('PATC')
    expect(await signAs(bank.user)).toBe(409)
    expect(await signAs(bank.secondUser)).toBe(201)
    expect((await tpp.send('GET', `${path}/status`)).text('transactionStatus')).toBe('ACTC')
  })
})
