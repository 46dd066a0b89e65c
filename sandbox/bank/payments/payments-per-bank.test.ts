/** Tests payments at banks of the fixture, each in its own dialect, on a clock that the test moves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BankTestData, bankTestData, orderForBank } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { isTestedAmong } from '../../testing/tested-banks.ts'
import { headersOf, type ThirdParty, thirdPartyOf } from '../../testing/third-party.ts'

/** Together they have every status, every way to cancel, every form of account numbers and errors, and every country. */
const DISTINCT = ['VSKYNO22', 'MALBSESS', 'SKARSESS', 'LIMFDK22', 'AURAFIHH']
const testedBanks = bankTestData.filter(({ bic }) => isTestedAmong(DISTINCT, bic))

let tested: TestBank
/** Later than any day this runs on; each test has a Monday of its own. */
let monday = Temporal.PlainDate.from('2031-03-03')
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

describe.each(testedBanks.map((bank) => [bank.name, bank] as const))('%s', (_name, bank) => {
  const tpp = thirdPartyOf(() => tested.bank, bank)
  beforeEach(async () => {
    monday = monday.add({ days: 7 })
    // In the morning, before every cut-off.
    await clockTo(tpp, `${monday}T08:00:00Z`)
  })

  test('returns the accounts of a consent in its own format', async () => {
    const consentId = await tpp.consent()
    const headers = { 'PSU-IP-Address': '192.0.2.7', 'Consent-ID': consentId }
    const { body } = await tpp.send('GET', '/accounts', { headers })
    expect(body).toMatchObject({
      accounts: expect.arrayContaining([expect.objectContaining(bank.account.main)]),
    })
  })

  test('executes a payment inside the bank', async () => {
    const { id, status } = await place(tpp, bank)
    expect(status).toBe(bank.statuses.first)
    await sign(tpp, bank, id)
    expect(await statusOf(tpp, bank, id)).toBe(bank.statuses.executing)
    await clockTo(tpp, `${monday}T08:01:00Z`)
    expect(await statusOf(tpp, bank, id)).toBe(bank.statuses.last)
    expect(await bookedStatusOf(tpp, id)).toBe('ACSC')
  })

  test('lets a payment wait for its day, and cancels in its own way', async () => {
    const { id } = await place(tpp, bank, { requestedExecutionDate: monday.add({ days: 3 }).toString() })
    await sign(tpp, bank, id)
    expect(await statusOf(tpp, bank, id)).toBe(bank.statuses.waiting)
    expect((await tpp.send('DELETE', `${bank.payments}/${id}`)).status).toBe(bank.cancelling[1])
  })

  test('cancels before signing in its own way', async () => {
    const { id } = await place(tpp, bank)
    expect((await tpp.send('DELETE', `${bank.payments}/${id}`)).status).toBe(bank.cancelling[0])
    const isCancelled = bank.cancelling[0] < 300
    expect(await statusOf(tpp, bank, id)).toBe(isCancelled ? 'CANC' : bank.statuses.first)
  })

  test('requires two signatures where the account does', async () => {
    const { id } = await place(tpp, bank, { debtorAccount: bank.account.twoSigners })
    await sign(tpp, bank, id)
    expect(await statusOf(tpp, bank, id)).toBe('PATC')
    await sign(tpp, bank, id, bank.secondUser)
    expect(await statusOf(tpp, bank, id)).toBe(bank.statuses.executing)
  })

  test('executes at once on an account without signature', async () => {
    const made = await send(tpp, bank, { debtorAccount: bank.account.unsigned })
    expect(made.body).toMatchObject({ transactionStatus: bank.statuses.executing })
    expect(made.body).not.toHaveProperty('_links.startAuthorisation')
    const rejected = await tpp.send('POST', `${bank.payments}/${made.text('paymentId')}/authorisations`, {
      body: {},
      headers: headersOf(bank),
    })
    expect(rejected.status).toBe(409)
  })

  test('reports a lack of funds, and rejects when the day is over', async () => {
    const { id } = await place(tpp, bank, {
      debtorAccount: bank.account.noMoney,
      instructedAmount: { currency: bank.currency, amount: '30000.00' },
    })
    await sign(tpp, bank, id)
    await clockTo(tpp, `${monday}T08:01:00Z`)
    const { body } = await tpp.send('GET', `${bank.payments}/${id}/status`)
    expect(body).toMatchObject({ transactionStatus: bank.statuses.executing, fundsAvailable: false })
    await clockTo(tpp, `${monday.add({ days: 1 })}T08:00:00Z`)
    expect(await statusOf(tpp, bank, id)).toBe('RJCT')
  })

  test('pays from no account that the user may only read, and for no user who may only read', async () => {
    const locked = await send(tpp, bank, { debtorAccount: bank.account.notPayable })
    expect([locked.status, codeOf(locked.body)]).toEqual([403, 'SERVICE_BLOCKED'])
    const viewer = await send(tpp, bank, {}, { 'PSU-ID': bank.viewer })
    expect([viewer.status, codeOf(viewer.body)]).toEqual([403, 'SERVICE_BLOCKED'])
  })

  test('rejects an invalid account number, and an amount in another currency', async () => {
    const account = await send(tpp, bank, { creditorAccount: { bban: '12' } })
    expect([account.status, codeOf(account.body)]).toEqual([400, 'FORMAT_ERROR'])
    const currency = await send(tpp, bank, { instructedAmount: { currency: 'USD', amount: '1.00' } })
    expect([currency.status, codeOf(currency.body)]).toEqual([400, 'FORMAT_ERROR'])
  })
})

const clockTo = (tpp: ThirdParty, now: string) => tpp.control('POST', '/clock', { now })
const send = (tpp: ThirdParty, bank: BankTestData, changes: object, headers: object = {}) =>
  tpp.send('POST', bank.payments, {
    body: orderForBank(bank, { ...changes }),
    headers: { ...headersOf(bank), ...headers },
  })
const sign = (tpp: ThirdParty, bank: BankTestData, id: string, userId?: string) =>
  tpp.sign(`${bank.payments}/${id}/authorisations`, userId)
const statusOf = async (tpp: ThirdParty, bank: BankTestData, id: string) =>
  (await tpp.send('GET', `${bank.payments}/${id}/status`)).text('transactionStatus')

async function place(
  tpp: ThirdParty,
  bank: BankTestData,
  changes: object = {},
): Promise<{ id: string; status: string }> {
  const made = await send(tpp, bank, changes)
  return { id: made.text('paymentId'), status: made.text('transactionStatus') }
}

/** The status in the bank's own books, whatever it reports. */
async function bookedStatusOf(tpp: ThirdParty, id: string): Promise<string | undefined> {
  const { body } = await tpp.control('GET', '/payments')
  const payments: readonly unknown[] = Array.isArray(body) ? body : []
  const found = payments.find((one) => JSON.stringify(one).includes(`"paymentId":"${id}"`))
  return /"transactionStatus":"(\w+)"/.exec(JSON.stringify(found))?.[1]
}

/** The code of a rejection in either error format. */
function codeOf(body: unknown): string | undefined {
  return /"code":"(\w+)"/.exec(JSON.stringify(body))?.[1]
}
