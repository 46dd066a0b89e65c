/** Books an order when the debtor has the funds, and reverses it; without funds it waits until the end of the day. */
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import type { PushNotification } from '../push-notifications.ts'
import { bookBulkTransactions, returnBulkTransactions } from './advance-bulk-transaction.ts'
import { isBulk } from './bulk-transaction.ts'
import { enqueueFxNotification } from './notify-fx-provider.ts'
import type { Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'
import { INSUFFICIENT_FUNDS_TEXT, postTransactions } from './post-transactions.ts'

/** Books an order when the debtor has the funds; otherwise it waits until the end of the day, and is then rejected. */
export async function bookPayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const status = isBulk(payment)
    ? await bookBulkTransactions(context, transaction, payment, at)
    : await bookSinglePayment(context, transaction, payment, at)
  if (status === null) {
    return await waitForFunds(context, transaction, payment, at)
  }
  const booked = { status, funds_available: true, due_at: null, funds_deadline_at: null } as const
  return await updatePayment(transaction, payment, booked, at)
}

/** Its status afterwards; null without funds. */
async function bookSinglePayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<'ACSC' | null> {
  const posting = { order: payment, transactions: [payment], money: 'out', at } as const
  if (!(await postTransactions(context, transaction, posting))) {
    return null
  }
  await enqueueFxNotification(context, transaction, payment, at)
  return 'ACSC'
}

/** Reverses the booking: credits the debtor again, and debits creditors whose accounts are in this fixture. */
export async function returnPayment(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<void> {
  if (isBulk(payment)) {
    await returnBulkTransactions(context, transaction, payment, at)
  } else {
    await postTransactions(context, transaction, { order: payment, transactions: [payment], money: 'back', at })
  }
}

/** It is retried when the account is credited, and rejected at the end of the day. */
async function waitForFunds(
  { fixture }: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  const bank = requireBankByBic(fixture, payment.bank)
  const closesAt = payment.funds_deadline_at ?? endOfDay(bank, businessDay(bank, at))
  if (Temporal.Instant.compare(at, closesAt) >= 0) {
    const change = { status: 'RJCT', status_text: INSUFFICIENT_FUNDS_TEXT, due_at: null } as const
    return await updatePayment(transaction, payment, change, at)
  }
  const waiting = { funds_available: false, funds_deadline_at: closesAt.toString(), due_at: closesAt.toString() }
  return await updatePayment(transaction, payment, waiting, at)
}
