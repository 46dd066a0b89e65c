/** Tests the authorisation operations of XS2A: by redirect, in an app, embedded, and of several signers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { bankTestClient, errorSummary } from '../../testing/bank-test-client.ts'
import { bankTestData } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { isTestedAmong } from '../../testing/tested-banks.ts'
import {
  consentRequest,
  headersOf,
  KARI,
  OLA,
  order,
  PAYMENTS,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

describe('authorisations of a payment', () => {
  test('are listed, with what the user did', async () => {
    const id = await tpp.pay()
    const path = `${PAYMENTS}/${id}/authorisations`
    const { id: authorisationId } = await tpp.authorise(path)
    expect((await tpp.send('GET', path)).body).toEqual({ authorisationIds: [authorisationId] })
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).body).toEqual({ scaStatus: 'received' })
    await tpp.control('POST', `/authorisations/${authorisationId}/sign`)
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).body).toMatchObject({ scaStatus: 'finalised' })
  })

  test('replace one of the same user, also one in a browser, and leave another user’s in a browser open', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    const stateOf = async ({ id }: { id: string }) => (await tpp.send('GET', `${path}/${id}`)).text('scaStatus')
    const first = await tpp.authorise(path)
    const second = await tpp.authorise(path)
    expect(await stateOf(first)).toBe('failed')
    await fetch(second.link)
    const third = await tpp.authorise(path)
    expect(await stateOf(second)).toBe('failed')
    await fetch(third.link)
    const others = await tpp.send('POST', path, { body: {}, headers: { ...userHeaders, 'PSU-ID': OLA } })
    expect(others.status).toBe(201)
    expect(await stateOf(third)).not.toBe('failed')
  })

  test('are rejected once the payment is signed', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    await tpp.sign(path)
    const rejected = await tpp.send('POST', path, { body: {}, headers: userHeaders })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([409, 'STATUS_INVALID'])
  })

  test('may be signed by another user of the company with the right to pay', async () => {
    const id = await tpp.pay()
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`, OLA)
    const { body } = await tpp.control('GET', '/payments?bank=FJORNO22')
    expect(body).toContainEqual(
      expect.objectContaining({
        paymentId: id,
        psuId: KARI,
        authorisations: [expect.objectContaining({ signerId: OLA, outcome: 'approved', scaStatus: 'finalised' })],
      }),
    )
  })

  test("are not updated by a third party: users identify on the bank's pages", async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    const { id } = await tpp.authorise(path)
    const rejected = await tpp.send('PUT', `${path}/${id}`, { body: { psuData: { password: 'x' } } })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([405, 'SERVICE_INVALID'])
  })

  test('require a URL for the redirect back', async () => {
    const { 'TPP-Redirect-URI': _left, ...headers } = userHeaders
    const made = await tpp.send('POST', PAYMENTS, { body: order(), headers })
    const path = `${PAYMENTS}/${made.text('paymentId')}/authorisations`
    const rejected = await tpp.send('POST', path, { body: {}, headers })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { tppMessages: [expect.objectContaining({ code: 'FORMAT_ERROR', path: 'TPP-Redirect-URI' })] },
    ])
  })
})

/** A payment that two operators sign, and what they do. */
async function forTwo(bic: string) {
  const { bank, tpp, place } = bankTestClient(() => tested, bic)
  const placed = await place({ debtorAccount: bank.account.twoSigners })
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const status = async () => (await tpp.send('GET', `${payment}/status`)).text('transactionStatus')
  const ask = (user: string) =>
    tpp.send('POST', `${payment}/authorisations`, { body: {}, headers: { ...headersOf(bank), 'PSU-ID': user } })
  return { bank, tpp, payment, status, ask, sign: (user: string) => tpp.sign(`${payment}/authorisations`, user) }
}

/** Their users sign on pages, after OAuth and in an app; `payments-per-bank.test.ts` has the statuses of the others. */
const SIGNING = ['FJORNO22', 'ELVANO22', 'KATTDK22']
const signingBanks = bankTestData.map(({ bic }) => bic).filter((bic) => isTestedAmong(SIGNING, bic))

test.each(signingBanks)('%s accepts each signature once, and waits for the second person', async (bic) => {
  const { bank, status, ask, sign } = await forTwo(bic)
  await sign(bank.user)
  expect(await status()).toBe('PATC')
  expect(errorSummary(await ask(bank.user)).slice(0, 2)).toEqual([409, 'STATUS_INVALID'])
  expect(await status()).toBe('PATC')
  await sign(bank.secondUser)
  expect(await status()).toBe(bank.statuses.executing)
})

describe('a user who has signed', () => {
  test('is rejected on the page on which another user should sign', async () => {
    const { bank, tpp, payment, status, sign } = await forTwo('FJORNO22')
    await sign(bank.user)
    const headers = { ...headersOf(bank), 'PSU-ID': bank.secondUser }
    const { link } = await tpp.authorise(`${payment}/authorisations`, headers)
    const page = await (await fetch(link)).text()
    expect([page.includes(bank.user), page.includes(bank.secondUser)]).toEqual([false, true])
    const again = await fetch(link, { method: 'POST', body: new URLSearchParams({ userId: bank.user }) })
    expect([again.status, (await again.text()).includes('has signed already')]).toEqual([403, true])
    expect(await status()).toBe('PATC')
  })

  test('may sign again once signatures were revoked', async () => {
    const { bank, tpp, payment, status, sign } = await forTwo('FJORNO22')
    await sign(bank.user)
    await tpp.control('POST', `/payments/${payment.split('/').at(-1)}/take-back`)
    await sign(bank.user)
    expect(await status()).toBe('PATC')
  })

  test('may sign another payment', async () => {
    const [one, other] = [await forTwo('FJORNO22'), await forTwo('FJORNO22')]
    await one.sign(one.bank.user)
    await other.sign(one.bank.user)
    expect(await other.status()).toBe('PATC')
  })
})

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

/** The third party would have to collect the password. */
const WANTS_PASSWORD = '77000000012'

test('of the embedded approach the bank offers the password method only, and accepts none', async () => {
  const { bank, place } = bankTestClient(() => tested, 'FJORNO22')
  const headers = { ...headersOf(bank), 'PSU-ID': WANTS_PASSWORD }
  const placed = await place({}, headers)
  expect(placed.headers.get('aspsp-sca-approach')).toBe('EMBEDDED')
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const started = await tpp.send('POST', `${payment}/authorisations`, { body: {}, headers })
  expect([started.status, started.headers.get('aspsp-sca-approach')]).toEqual([201, 'EMBEDDED'])
  const path = `${payment}/authorisations/${started.text('authorisationId')}`
  const own = { href: expect.stringContaining(path) }
  expect(started.body).toMatchObject({
    scaStatus: 'received',
    _links: { updatePsuAuthentication: own, scaStatus: own },
  })
  expect(started.body).not.toHaveProperty('_links.scaRedirect')
  const typed = await tpp.send('PUT', path, { body: { psuData: { password: 'secret' } } })
  expect(errorSummary(typed)).toEqual([401, 'PSU_CREDENTIALS_INVALID', undefined])
  const now = Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now'))
  await tpp.control('POST', '/clock', { now: now.add({ seconds: 30 }).toString() })
  expect((await tpp.send('GET', path)).body).toEqual({ scaStatus: 'received' })
  expect((await tpp.send('GET', `${payment}/status`)).text('transactionStatus')).toBe('RCVD')
})
