/** Posts transactions of one order to the accounts of debtor and creditors: individually, or as one debit. */
import { newId } from '../../../gateway/platform/ids.ts'
import { businessDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { accountOf, requireBankByBic } from '../fixture-lookup.ts'
import { type AccountKey, bookEntries, lockAccounts, type Posting } from '../ledger/account-store.ts'
import { isBulk, sizeText } from './bulk-transaction.ts'
import { receivingAccount } from './parse/resolve-parties.ts'
import { endToEndIdOf, type Payment } from './payment.ts'
import { retryUnfunded } from './payment-store.ts'

/** One transfer of money: a single payment is its own only one. */
type Transaction = Pick<
  Payment,
  'id' | 'rail' | 'creditor' | 'creditor_name' | 'amount_minor' | 'message' | 'reference' | 'body'
>

/** Transactions of one order that are booked or reversed at an instant. */
type OrderPosting = {
  readonly order: Payment
  readonly transactions: readonly Transaction[]
  readonly money: 'out' | 'back'
  readonly at: Temporal.Instant
}

export const INSUFFICIENT_FUNDS_TEXT = 'The account had insufficient funds on the due day'

/** Posts them; returns false, without posting, when the debtor has insufficient funds. */
export async function postTransactions(context: Context, moving: OrderPosting): Promise<boolean> {
  const { order, transactions, money, at } = moving
  const byReceiver = Map.groupBy(transactions, (one) => keyOf(receiverAt(context, order, one)))
  const from = { bank: order.bank, bban: order.debtor }
  const keys = [...byReceiver.values()].flatMap(([one]) => (one && receiverAt(context, order, one)) ?? [])
  const locked = await lockAccounts(context, [from, ...keys])
  const debtor = locked.find((account) => keyOf(account) === keyOf(from))
  const sum = sumOf(transactions)
  if (debtor === undefined || (money === 'out' && debtor.balance_minor < sum)) {
    return false
  }
  await bookEntries(context, debtor, debtorPostings(context, moving))
  if (money === 'back') {
    await retryUnfunded(context, debtor, at)
  }
  for (const account of locked.filter((one) => one !== debtor)) {
    const paid = byReceiver.get(keyOf(account)) ?? []
    await bookEntries(context, account, creditorPostings(context, { ...moving, transactions: paid }))
    if (money === 'out') {
      await retryUnfunded(context, account, at)
    }
  }
  return true
}

/** The creditor's account, where it is in this fixture and not the debtor's own. */
function receiverAt(
  { fixture }: Context,
  order: Payment,
  { rail, creditor }: Pick<Transaction, 'rail' | 'creditor'>,
): AccountKey | undefined {
  const bank = requireBankByBic(fixture, order.bank)
  const account = receivingAccount(fixture, bank, { rail, creditor, currency: order.currency })
  return account && { bank: account.bic, bban: account.bban }
}

function keyOf(account: AccountKey | undefined): string {
  return account === undefined ? '' : `${account.bank} ${account.bban}`
}

function sumOf(transactions: readonly Transaction[]): bigint {
  return transactions.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

/** A payroll need not be itemised on the statement: one entry has the number of payments, not the payees. */
function debtorPostings(context: Context, moving: OrderPosting): readonly Posting[] {
  const { order, transactions, money } = moving
  const when = timeOf(context, moving)
  const sign = money === 'out' ? -1n : 1n
  const isOneLine =
    order.body['batchBookingPreferred'] === true && requireBankByBic(context.fixture, order.bank).bulk?.batchBooking
  if (isOneLine === true && money === 'out' && transactions.length > 1) {
    return [
      {
        ...when,
        minor: sign * sumOf(transactions),
        counterparty: sizeText(transactions.length),
        message: order.message,
        paymentId: order.id,
        batchSize: transactions.length,
      },
    ]
  }
  return transactions.map((one) => ({
    ...when,
    ...remittanceFields(moving, one),
    minor: sign * one.amount_minor,
    counterparty: one.creditor_name,
    counterpartyAccount: one.creditor,
  }))
}

function creditorPostings(context: Context, moving: OrderPosting): readonly Posting[] {
  const { order, transactions, money } = moving
  const when = timeOf(context, moving)
  const payer = accountOf(context.fixture, order.bank, order.debtor)?.ownerName ?? order.debtor
  return transactions.map((one) => ({
    ...when,
    ...remittanceFields(moving, one),
    minor: money === 'out' ? one.amount_minor : -one.amount_minor,
    counterparty: payer,
    counterpartyAccount: order.debtor,
  }))
}

function timeOf({ fixture }: Context, { order, at }: OrderPosting): Pick<Posting, 'day' | 'at'> {
  return { day: businessDay(requireBankByBic(fixture, order.bank), at), at }
}

/** A returned single payment has no end-to-end id. */
function remittanceFields({ order, money }: OrderPosting, one: Transaction) {
  const { message, reference, id: paymentId } = one
  const reported = { reference, endToEndId: endToEndIdOf(one), paymentId }
  return money === 'out'
    ? { ...reported, message }
    : {
        ...reported,
        ...(isBulk(order) ? {} : { endToEndId: null }),
        message: 'Returned payment',
        persistentId: newId(),
      }
}
