/** Posts payments of a bulk to the accounts of debtor and creditors: individually, or as one debit. */
import { newId } from '../../../gateway/platform/ids.ts'
import { type AccountKey, bookEntries, lockAccountsAcrossBanks, type Posting } from '../accounts/account-store.ts'
import { endToEndIdOf } from '../accounts/pending-store.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import { accountOf, requireBankByBic } from '../fixture-lookup.ts'
import type { Payment } from '../payments/payment.ts'
import { retryUnfunded } from '../payments/payment-store.ts'
import { receivingAccount } from '../payments/resolve-parties.ts'
import { type BulkTransaction, sizeText } from './bulk-transaction.ts'

/** Payments of one bulk that are booked or reversed at an instant. */
export type BulkPosting = {
  readonly bulk: Payment
  readonly elements: readonly BulkTransaction[]
  readonly money: 'out' | 'back'
  readonly at: Temporal.Instant
}

/** Posts them; returns false, without posting, when the debtor has insufficient funds. */
export async function postBulk(context: Context, transaction: BankTransaction, moving: BulkPosting): Promise<boolean> {
  const { bulk, elements, money, at } = moving
  const byReceiver = Map.groupBy(elements, (element) => keyOf(receiverAt(context, bulk, element)))
  const from = { bank: bulk.bank, bban: bulk.debtor }
  const keys = [...byReceiver.values()].flatMap(([one]) => (one && receiverAt(context, bulk, one)) ?? [])
  const locked = await lockAccountsAcrossBanks(transaction, [from, ...keys])
  const debtor = locked.find((account) => keyOf(account) === keyOf(from))
  const sum = sumOf(elements)
  if (debtor === undefined || (money === 'out' && debtor.balance_minor < sum)) {
    return false
  }
  await bookEntries(transaction, debtor, debtorPostings(context, moving))
  for (const account of locked.filter((one) => one !== debtor)) {
    const paid = byReceiver.get(keyOf(account)) ?? []
    await bookEntries(transaction, account, creditorPostings(context, { ...moving, elements: paid }))
    await retryUnfunded(transaction, account, at)
  }
  return true
}

/** The creditor's account, where it is in this fixture and not the debtor's own. */
function receiverAt({ fixture }: Context, bulk: Payment, { rail, creditor }: BulkTransaction): AccountKey | undefined {
  const bank = requireBankByBic(fixture, bulk.bank)
  const account = receivingAccount(fixture, bank, { rail, creditor, currency: bulk.currency })
  return account && { bank: account.bic, bban: account.bban }
}

function keyOf(account: AccountKey | undefined): string {
  return account === undefined ? '' : `${account.bank} ${account.bban}`
}

function sumOf(elements: readonly BulkTransaction[]): bigint {
  return elements.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

/** A payroll need not be itemised on the statement: one entry has the number of payments, not the payees. */
function debtorPostings(context: Context, moving: BulkPosting): readonly Posting[] {
  const { bulk, elements, money } = moving
  const when = timeOf(context, moving)
  const sign = money === 'out' ? -1n : 1n
  const isOneLine =
    bulk.body['batchBookingPreferred'] === true && requireBankByBic(context.fixture, bulk.bank).bulk?.batchBooking
  if (isOneLine === true && money === 'out' && elements.length > 1) {
    return [
      {
        ...when,
        minor: sign * sumOf(elements),
        counterparty: sizeText(elements.length),
        counterpartyAccount: null,
        message: bulk.message,
        reference: null,
        paymentId: bulk.id,
        batchSize: elements.length,
      },
    ]
  }
  return elements.map((element) => ({
    ...when,
    ...remittanceFields(element, money),
    minor: sign * element.amount_minor,
    counterparty: element.creditor_name,
    counterpartyAccount: element.creditor,
  }))
}

function creditorPostings(context: Context, moving: BulkPosting): readonly Posting[] {
  const { bulk, elements, money } = moving
  const when = timeOf(context, moving)
  const payer = accountOf(context.fixture, bulk.bank, bulk.debtor)?.ownerName ?? bulk.debtor
  return elements.map((element) => ({
    ...when,
    ...remittanceFields(element, money),
    minor: money === 'out' ? element.amount_minor : -element.amount_minor,
    counterparty: payer,
    counterpartyAccount: bulk.debtor,
  }))
}

function timeOf({ fixture }: Context, { bulk, at }: BulkPosting): Pick<Posting, 'day' | 'at'> {
  return { day: businessDay(requireBankByBic(fixture, bulk.bank), at), at }
}

function remittanceFields(element: BulkTransaction, money: BulkPosting['money']) {
  const { message, reference, id: paymentId } = element
  const reported = { reference, endToEndId: endToEndIdOf(element), paymentId }
  return money === 'out'
    ? { ...reported, message }
    : { ...reported, message: 'Returned payment', persistentId: newId() }
}
