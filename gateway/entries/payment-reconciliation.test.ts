/** Tests that the entries of some days match our payments one to one, among other entries. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountEntry } from '../../contract/account-entries.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'

/** Two of them have the same amount and creditor. */
const AMOUNTS = ['1250.00', '99.90', '99.90', '4000.00', '0.01', '731.25']
const BANKS = ['FJORNO22']
/** Two payments a day, which are executed by the next morning. */
const DAYS = 3

let gateway: TestGateway
const paid = new Map<string, readonly string[]>()
const entries = new Map<string, readonly AccountEntry[]>()
beforeAll(async () => {
  gateway = await startTestGateway()
  const payer = openPaymentDriver(gateway)
  const first = await payer.nextMorning()
  for (const bank of BANKS.map(nordicBank)) {
    const ids: string[] = []
    for (const [n, amount] of AMOUNTS.entries()) {
      const { paymentId } = await payer.order(bank, {
        amount: { amount, currency: bank.currency },
        dueDate: first.add({ days: Math.floor(n / 2) }).toString(),
        remittanceInformation: { type: 'message', value: `Invoice ${n}` },
      })
      await payer.sign(bank, paymentId)
      ids.push(paymentId)
    }
    paid.set(bank.bic, ids)
    // Other payments from the account look much like ours; identical ones would leave both ambiguous.
    const alike = {
      amount: '-1250.00',
      counterparty: bank.supplierName,
      counterpartyAccount: bank.supplier,
      message: 'Invoice 0',
    }
    const others = [
      { ...alike, counterpartyAccount: '80503000028' },
      { ...alike, message: 'Rent' },
      { ...alike, amount: '1250.00' },
      { ...alike, amount: '-1249.99' },
    ]
    for (const entry of others) {
      await openSandboxBankControl(gateway.bank).postControl(`/accounts/${bank.main}/entries`, entry)
    }
  }
  for (let day = 0; day < DAYS; day += 1) {
    await passTime(gateway, 'PT24H')
  }
  for (const bank of BANKS.map(nordicBank)) {
    const consented = await payer.consentOf(bank)
    const { accounts } = await gateway.client.listAccounts(consented)
    const params = { accountId: accounts.find(({ bban }) => bban === bank.main)?.id ?? '' }
    const query = { fromDate: first.toString(), toDate: first.add({ days: DAYS }).toString() }
    entries.set(bank.bic, (await gateway.client.listAccountEntries({ ...consented, params, query })).accountEntries)
  }
}, 600_000)
afterAll(() => gateway.close())

describe.each(BANKS)('some days at %s', (bic) => {
  const of = <Value>(values: ReadonlyMap<string, readonly Value[]>) => values.get(bic) ?? []

  test('has one entry for each of our payments, with its amount', async () => {
    const ours = of(entries).filter(({ paymentId }) => paymentId !== undefined)
    expect(ours.map(({ paymentId }) => paymentId ?? '').toSorted()).toEqual(of(paid).toSorted())
    for (const [n, id] of of(paid).entries()) {
      expect((await gateway.client.getPaymentStatus({ params: { paymentId: id } })).status).toBe('Completed')
      const entry = ours.find(({ paymentId }) => paymentId === id)
      expect(entry?.postedAmount.amount).toBe(Number(AMOUNTS[n]))
      expect(entry?.remittanceInformation.unstructured).toContain(`Invoice ${n}`)
    }
  })

  test('leaves entries that are not payments of ours unmatched', () => {
    const others = of(entries).filter(({ paymentId }) => paymentId === undefined)
    expect(others.map(({ type, postedAmount }) => `${type} ${postedAmount.amount}`).toSorted()).toEqual(
      expect.arrayContaining(['CREDIT 1250', 'DEBIT 1249.99', 'DEBIT 1250', 'DEBIT 1250']),
    )
  })
})
