/** Tests at sandbox banks that entries are complete in every format, keep their ids, and match our payments. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountEntry } from '../../contract/account-entries.ts'
import { isTestedAmong } from '../../sandbox/testing/tested-banks.ts'
import { parseDebtorAccountNumber } from '../countries/account-number.ts'
import { type NordicBank, nordicBanks } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { fromAccount, openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { parseCamtEntries, parseCsvEntries, parseJsonEntries } from './testing/parse-entry-formats.ts'

/** The payments at each bank: two of them differ only in their messages and endToEndIds. */
const PAID = [
  { amount: '1250.00', message: 'Order 4711' },
  { amount: '99.90', message: 'Order 4713' },
  { amount: '99.90', message: 'Order 4714' },
]

/** They differ in how lists are paged, what they hold, and what of an entry stays when it is booked. */
const DISTINCT = ['HAVBNO22', 'NORDSESS', 'ORESDK22', 'PAIJFIHH']
const testedBanks = nordicBanks.filter(({ bic }) => isTestedAmong(DISTINCT, bic))
/** Banks whose lists have no pending entries. */
const WITHOUT_PENDING = ['PAIJFIHH', 'SKARSESS']
/** Of these, those whose lists have few fields and no stable reference. */
const KEEPING_NOTHING = ['PAIJFIHH']

let gateway: TestGateway
let payer: PaymentDriver
let days: { readonly fromDate: string; readonly toDate: string }
/** Our payments, and the entries on the accounts while they were pending and after they were booked, by bank. */
const paid = new Map<string, readonly string[]>()
const calls = new Map<string, Awaited<ReturnType<typeof callAt>>>()
const pending = new Map<string, readonly AccountEntry[]>()
const booked = new Map<string, readonly AccountEntry[]>()
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  const day = await payer.nextMorning()
  days = { fromDate: day.toString(), toDate: day.add({ days: 3 }).toString() }
  for (const bank of testedBanks) {
    const ids: string[] = []
    for (const { amount, message } of PAID) {
      const order = {
        amount: { amount, currency: bank.currency },
        remittanceInformation: { type: 'message', value: message } as const,
      }
      const { paymentId } = await payer.order(bank, { ...order, ...fromAccount(bank, bank.noSigning) })
      ids.push(paymentId)
    }
    paid.set(bank.bic, ids)
    calls.set(bank.bic, await callAt(bank))
    pending.set(bank.bic, await entriesAt(bank.bic))
    await othersDo(bank)
  }
  await passTime(gateway, 'PT72H')
  for (const { bic } of testedBanks) {
    booked.set(bic, await entriesAt(bic))
  }
}, 600_000)
afterAll(() => gateway.close())

/** It looks much like our payments; an identical one would leave both ambiguous. */
async function othersDo({ companyName, noSigning, supplier, supplierName, viewOnly }: NordicBank): Promise<void> {
  const alike = {
    amount: '-1250.00',
    counterparty: supplierName,
    counterpartyAccount: supplier,
    message: 'Order 4711',
  }
  const others = [
    { ...alike, counterpartyAccount: viewOnly, counterparty: companyName },
    { ...alike, message: 'Rent' },
    { ...alike, amount: '1250.00' },
    { ...alike, amount: '-1249.99' },
  ]
  for (const entry of others) {
    await openSandboxBankControl(gateway.bank).postControl(`/accounts/${noSigning}/entries`, entry)
  }
}

/** A request for the entries of the account that pays: without SCA, which changes no entry. */
async function callAt(bank: NordicBank) {
  const { noSigning, countryCode } = bank
  const consented = await payer.consentOf(bank)
  const { accounts } = await gateway.client.listAccounts(consented)
  const { iban: ibanOfAccount } = parseDebtorAccountNumber(countryCode, noSigning)
  const account = accounts.find(({ bban, iban }) => bban === noSigning || iban === ibanOfAccount)
  return { ...consented, params: { accountId: account?.id ?? '' }, query: days }
}

const callOf = (bic: string) => calls.get(bic) ?? expect.fail(`There is no consent at ${bic}`)
const entriesAt = async (bic: string) => (await gateway.client.listAccountEntries(callOf(bic))).accountEntries
const bookedAt = (bic: string) => booked.get(bic) ?? []
const ours = (entries: readonly AccountEntry[]) => entries.filter(({ paymentId }) => paymentId !== undefined)
const ids = (entries: readonly AccountEntry[]) => entries.map(({ paymentId }) => paymentId ?? '').toSorted()

describe.each(testedBanks.map(({ bic }) => [bic]))('%s', (bic) => {
  test('has each of our payments once, with its amount, and no other', async () => {
    const entries = bookedAt(bic)
    expect(ids(ours(entries))).toEqual(paid.get(bic)?.toSorted())
    for (const entry of ours(entries)) {
      const payment = await gateway.client.getPayment({ params: { paymentId: entry.paymentId ?? '' } })
      expect(entry.postedAmount.amount).toBe(Number(payment.amount.amount))
      expect(entry).toMatchObject({
        type: 'DEBIT',
        status: 'BOOKED',
        bookingDateTime: expect.stringMatching(/T00:00:00\.000Z$/),
      })
    }
    expect(new Set(entries.map(({ stableEntryId }) => stableEntryId)).size).toBe(entries.length)
  })

  test('leaves entries that are not payments of ours unmatched', () => {
    const others = bookedAt(bic).filter(({ paymentId }) => paymentId === undefined)
    expect(others.map(({ type, postedAmount }) => `${type} ${postedAmount.amount}`)).toEqual(
      expect.arrayContaining(['CREDIT 1250', 'DEBIT 1249.99', 'DEBIT 1250', 'DEBIT 1250']),
    )
  })

  test('returns the same as JSON, as CSV and as a statement', async () => {
    const call = callOf(bic)
    const reported = parseJsonEntries(bookedAt(bic))
    expect(reported.length).toBeGreaterThan(PAID.length)
    const csv = await gateway.client.listAccountEntries({ ...call, accept: 'text/csv' })
    expect(parseCsvEntries(await new Response(csv).text())).toEqual(reported)
    const statement = await gateway.client.listAccountEntries({ ...call, accept: 'application/xml' })
    expect(parseCamtEntries(await new Response(statement).text())).toEqual(reported)
  })

  test('keeps the ids of pending entries', () => {
    const before = (pending.get(bic) ?? []).filter(({ status }) => status === 'PENDING')
    expect(before).toHaveLength(WITHOUT_PENDING.includes(bic) ? 0 : PAID.length)
    const after = new Map(bookedAt(bic).map((entry) => [entry.stableEntryId, entry]))
    for (const entry of before) {
      const { status, postedAmount, paymentId } = after.get(entry.stableEntryId) ?? {}
      expect({ status, postedAmount, paymentId }).toEqual({
        status: 'BOOKED',
        postedAmount: entry.postedAmount,
        paymentId: entry.paymentId ?? paymentId,
      })
    }
  })

  test('returns a single entry under the id of the list, or none where the bank has no reference', async () => {
    const { profile } = (await gateway.context.banks.find(bic)) ?? {}
    const entry = bookedAt(bic).find(({ paymentId }) => paymentId !== undefined)
    if (profile?.entries.details === true && entry !== undefined) {
      const { params, ...call } = callOf(bic)
      const reported = await gateway.client.getAccountEntryDetails({
        ...call,
        params: { ...params, transactionId: entry.transactionId },
      })
      const isStored = !KEEPING_NOTHING.includes(bic)
      expect(reported.stableEntryId).toBe(isStored ? entry.stableEntryId : undefined)
    }
  })

  test('returns the same with details, and more where the bank has more', async () => {
    const call = callOf(bic)
    const { accountEntries: extended } = await gateway.client.listExtendedAccountEntries(call)
    const plain = bookedAt(bic)
    expect(extended.map(({ stableEntryId }) => stableEntryId)).toEqual(plain.map(({ stableEntryId }) => stableEntryId))
    expect(ids(ours(extended))).toEqual(ids(ours(plain)))
    const { profile } = (await gateway.context.banks.find(bic)) ?? {}
    expect(new Set(extended.map(({ enriched }) => enriched))).toEqual(new Set([profile?.entries.details]))
  })
})
