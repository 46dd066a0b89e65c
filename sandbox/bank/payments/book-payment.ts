/** Books an order when the debtor has the funds, and reverses it; without funds it waits until the end of the day. */
import { businessDay, endOfDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import { bookBulkTransactions, returnBulkTransactions } from './advance-bulk-transaction.ts'
import { isBulk } from './bulk-transaction.ts'
import { enqueueFxNotification } from './notify-fx-provider.ts'
import type { Payment } from './payment.ts'
import { updatePayment } from './payment-store.ts'
import { INSUFFICIENT_FUNDS_TEXT, postTransactions } from './post-transactions.ts'

/** Books an order when the debtor has the funds; otherwise it waits until the end of the day, and is then rejected. */
export async function bookPayment(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  const status = isBulk(payment)
    ? await bookBulkTransactions(context, payment, at)
    : await bookSinglePayment(context, payment, at)
  if (status === null) {
    return await waitForFunds(context, payment, at)
  }
  const booked = { status, funds_available: true, due_at: null, funds_deadline_at: null } as const
  await updatePayment(context, payment, booked, at)
}

/** Its status afterwards; null without funds. */
async function bookSinglePayment(context: Context, payment: Payment, at: Temporal.Instant): Promise<'ACSC' | null> {
  const posting = { order: payment, transactions: [payment], money: 'out', at } as const
  if (!(await postTransactions(context, posting))) {
    return null
  }
  await enqueueFxNotification(context, payment, at)
  return 'ACSC'
}

/** Reverses the booking: credits the debtor again, and debits creditors whose accounts are in this fixture. */
export async function returnPayment(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  if (isBulk(payment)) {
    await returnBulkTransactions(context, payment, at)
  } else {
    await postTransactions(context, { order: payment, transactions: [payment], money: 'back', at })
  }
}

/** It is retried when the account is credited, and rejected at the end of the day. */
async function waitForFunds(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  const bank = requireBankByBic(context.fixture, payment.bank)
  const closesAt = payment.funds_deadline_at ?? endOfDay(bank, businessDay(bank, at))
  if (Temporal.Instant.compare(at, closesAt) >= 0) {
    const change = { status: 'RJCT', status_text: INSUFFICIENT_FUNDS_TEXT, due_at: null } as const
    return await updatePayment(context, payment, change, at)
  }
  const waiting = { funds_available: false, funds_deadline_at: closesAt.toString(), due_at: closesAt.toString() }
  await updatePayment(context, payment, waiting, at)
}
