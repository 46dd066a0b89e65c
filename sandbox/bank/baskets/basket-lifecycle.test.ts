/** Tests how a basket and its payments change over time. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { bankTestClient, errorSummary, MONDAY } from '../../testing/bank-test-client.ts'
import { orderForBank } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'
import type { BankFixture } from '../fixture.ts'
import { loadDemoFixture } from '../load-fixture.ts'

const BASKETS = '/signing-baskets'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank({ fixture: withSecondCompany(loadDemoFixture()) })
})
afterAll(() => tested.close())
const { bank, tpp, place } = bankTestClient(() => tested, 'VSKYNO22')
const headers = headersOf(bank)
beforeEach(async () => {
  await tpp.control('POST', '/reset')
  await tpp.control('POST', '/clock', { now: MONDAY })
})

const pay = async (changes: object = {}) => (await place(changes)).text('paymentId')
const make = (...paymentIds: readonly string[]) => tpp.send('POST', BASKETS, { body: { paymentIds }, headers })
const basketOf = async (...ids: readonly string[]) => `${BASKETS}/${(await make(...ids)).text('basketId')}`
const statusOf = async (path: string) => (await tpp.send('GET', `${path}/status`)).text('transactionStatus')
const clockTo = (now: string) => tpp.control('POST', '/clock', { now })
const nextDay = '2031-03-04T00:30:00Z'

describe('an unsigned basket', () => {
  test('is rejected when the day is over, and releases its payments', async () => {
    const id = await pay({ requestedExecutionDate: '2031-03-10' })
    const path = await basketOf(id)
    const { id: authorisationId } = await tpp.authorise(`${path}/authorisations`)
    await clockTo(nextDay)
    expect(await statusOf(path)).toBe('RJCT')
    expect((await tpp.send('GET', path)).body).toEqual({ transactionStatus: 'RJCT' })
    const sca = await tpp.send('GET', `${path}/authorisations/${authorisationId}`)
    expect(sca.text('scaStatus')).toBe('failed')
    expect(errorSummary(await tpp.send('POST', `${path}/authorisations`, { body: {}, headers })).slice(0, 2)).toEqual([
      409,
      'STATUS_INVALID',
    ])
    await tpp.sign(`${bank.payments}/${id}/authorisations`)
    expect(await statusOf(`${bank.payments}/${id}`)).toBe('ACTC')
  })

  test('can be created again', async () => {
    const id = await pay({ requestedExecutionDate: '2031-03-10' })
    const older = await basketOf(id)
    await clockTo(nextDay)
    expect((await make(id)).status).toBe(201)
    expect((await tpp.send('DELETE', older)).status).toBe(204)
  })

  test('ends once its payments have ended', async () => {
    const [one, two] = [await pay(), await pay()]
    const path = await basketOf(one, two)
    await tpp.control('POST', `/payments/${one}/cancel`, {})
    expect(await statusOf(path)).toBe('RCVD')
    await tpp.control('POST', `/payments/${two}/cancel`, {})
    expect(await statusOf(path)).toBe('RJCT')
  })

  test('ends with a signature once they were signed in the online bank', async () => {
    const id = await pay()
    const path = await basketOf(id)
    await tpp.control('POST', `/payments/${id}/sign`, {})
    expect(await statusOf(path)).toBe('ACTC')
  })
})

describe('a basket that one of two users has signed', () => {
  const twoSigners = { debtorAccount: bank.account.twoSigners, requestedExecutionDate: '2031-03-10' }

  test('waits for the other beyond the day', async () => {
    const id = await pay(twoSigners)
    const path = await basketOf(id)
    await tpp.sign(`${path}/authorisations`)
    await clockTo(nextDay)
    expect(await statusOf(path)).toBe('PATC')
    await tpp.sign(`${path}/authorisations`, bank.secondUser)
    expect([await statusOf(path), await statusOf(`${bank.payments}/${id}`)]).toEqual(['ACTC', 'ACTC'])
  })

  test('cannot be deleted, and its payments cannot be in another', async () => {
    const id = await pay(twoSigners)
    const path = await basketOf(id)
    await tpp.sign(`${path}/authorisations`)
    expect(errorSummary(await tpp.send('DELETE', path)).slice(0, 2)).toEqual([409, 'STATUS_INVALID'])
    expect(errorSummary(await make(id)).slice(0, 2)).toEqual([409, 'REFERENCE_STATUS_INVALID'])
    expect(errorSummary(await tpp.send('DELETE', `${bank.payments}/${id}`)).slice(0, 2)).toEqual([
      400,
      'RESOURCE_BLOCKED',
    ])
  })

  test('is rejected when its payments expire', async () => {
    const id = await pay(twoSigners)
    const path = await basketOf(id)
    await tpp.sign(`${path}/authorisations`)
    await clockTo('2031-03-11T00:30:00Z')
    expect([await statusOf(path), await statusOf(`${bank.payments}/${id}`)]).toEqual(['RJCT', 'RJCT'])
  })
})

describe('a basket is rejected', () => {
  test('with payments of several companies', async () => {
    const [own, others] = [
      await pay(),
      await pay({ debtorAccount: bank.account.supplier, creditorAccount: bank.account.main }),
    ]
    expect(errorSummary(await make(own, others))).toEqual([400, 'REFERENCE_MIX_INVALID', 'paymentIds'])
    expect((await make(own)).status).toBe(201)
  })

  test('with a payment of another bank, which is unknown', async () => {
    const elsewhere = await bankTestClient(() => tested, 'FJORNO22').place()
    expect(errorSummary(await make(await pay(), elsewhere.text('paymentId')))).toEqual([
      400,
      'RESOURCE_UNKNOWN',
      'paymentIds',
    ])
  })

  test('with a payment that is cancelled, executed or partly signed', async () => {
    const cancelled = await pay()
    await tpp.send('DELETE', `${bank.payments}/${cancelled}`)
    const done = await pay({ debtorAccount: bank.account.unsigned })
    const partly = await pay({ debtorAccount: bank.account.twoSigners })
    await tpp.sign(`${bank.payments}/${partly}/authorisations`)
    for (const id of [cancelled, done, partly]) {
      expect(errorSummary(await make(await pay(), id))).toEqual([409, 'REFERENCE_STATUS_INVALID', 'paymentIds'])
    }
  })

  test.each([
    ['VSKYNO22', 50],
    ['MALBSESS', 100],
    ['AURAFIHH', 20],
  ])('at %s with more than %i payments', async (bic, sizeMax) => {
    const visit = bankTestClient(() => tested, bic)
    const lay = (paymentIds: readonly string[]) =>
      visit.tpp.send('POST', BASKETS, { body: { paymentIds }, headers: headersOf(visit.bank) })
    const unknown = Array.from({ length: sizeMax }, newId)
    expect(errorSummary(await lay(unknown)).slice(0, 2)).toEqual([400, 'RESOURCE_UNKNOWN'])
    expect(errorSummary(await lay([...unknown, newId()]))).toEqual([400, 'FORMAT_ERROR', 'paymentIds'])
  })
})

test('every bank with baskets signs two payments at once', async () => {
  for (const bic of ['VSKYNO22', 'MALBSESS', 'AURAFIHH']) {
    const visit = bankTestClient(() => tested, bic)
    const own = headersOf(visit.bank)
    const ids = await Promise.all(
      ['11.00', '12.00'].map(async (amount) => {
        const body = orderForBank(visit.bank, { instructedAmount: { currency: visit.bank.currency, amount } })
        return (await visit.tpp.send('POST', visit.bank.payments, { body, headers: own })).text('paymentId')
      }),
    )
    const made = await visit.tpp.send('POST', BASKETS, { body: { paymentIds: ids }, headers: own })
    await visit.tpp.sign(`${BASKETS}/${made.text('basketId')}/authorisations`)
    for (const id of ids) {
      const status = await visit.tpp.send('GET', `${visit.bank.payments}/${id}/status`)
      expect([bic, status.text('transactionStatus')]).toEqual([bic, expect.stringMatching(/^(ACS[PC]|ACCP)$/)])
    }
  }
})

/** The supplier's account is one that the demo company's users may pay from too. */
function withSecondCompany(fixture: BankFixture): BankFixture {
  const owner = fixture.accounts.find(({ bban }) => bban === '80521200018')?.owner ?? ''
  const row = { bic: 'VSKYNO22', userId: bank.user, owner, may: ['view' as const, 'pay' as const] }
  return { ...fixture, access: [...fixture.access, row] }
}
