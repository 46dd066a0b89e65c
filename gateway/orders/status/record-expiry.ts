/** Records that a bank no longer holds an order that it has not executed. Once confirmed, the order is cancelled, or an operator task raised. */

import type { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { earlierOf } from '../../platform/clock.ts'
import type { AcknowledgedPayment, Payment } from '../payment.ts'
import { writeExpiry } from '../store/expired-order-store.ts'
import { writeNextPoll } from '../store/payment-status-store.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

/** A single "not found" may be a bank's error or a stale replica; the same answer after this time is reliable. */
const CONFIRMED_AFTER = { minutes: 5 }
/** Banks that lose an order by mistake recover it within days; after that no change is expected. */
const WATCH_PERIOD = { days: 14 }
const POLL_INTERVAL = { hours: 24 }

/** An order that no longer exists after an accepted cancellation counts as cancelled. */
const CANCELLED_AT_BANK = {
  status: 'Cancelled',
  statusReason: null,
  statusReasonText: 'The bank accepted the cancellation and no longer holds the order',
  bankStatus: 'gone',
} as const satisfies StatusObservation

/** A payment whose order its bank reports as no longer existing. */
export type OrderExpiry = {
  readonly payment: Payment
  /** From when on the same answer confirms it. */
  readonly provenAt: Temporal.Instant
  readonly isProven: boolean
}

/** Whether one more such answer confirms that the bank no longer holds the order. */
export function isExpiryConfirmable({ expiredAt }: Pick<Payment, 'expiredAt'>, now: Temporal.Instant): boolean {
  return expiredAt !== null && Temporal.Instant.compare(expiredAt.add(CONFIRMED_AFTER), now) <= 0
}

/** Leaves the status unchanged, because the bank reported none, unless it had accepted a cancellation. */
export async function recordExpiry(
  context: Context,
  payment: AcknowledgedPayment,
  error: BankError,
): Promise<OrderExpiry> {
  const now = context.clock.now()
  const expiredAt = earlierOf(payment.expiredAt ?? now, now)
  const provenAt = isBankError(error, 'expired-resource') ? now : expiredAt.add(CONFIRMED_AFTER)
  const isProven = Temporal.Instant.compare(provenAt, now) <= 0
  const pollAt = isProven ? nextExpiryPoll(context, payment, now) : provenAt
  const unreadSince = payment.unreadSince ?? now
  await writeExpiry(context.database, payment, now)
  if (isProven && payment.cancellationAcceptedAt !== null) {
    return { payment: await recordPaymentStatus(context, payment, CANCELLED_AT_BANK), provenAt, isProven }
  }
  if (isProven) {
    await raiseExpiryTask(context, payment, error)
  }
  await writeNextPoll(context.database, payment, { pollAt, pollStep: payment.pollStep, unreadSince })
  return { payment: { ...payment, pollAt, unreadSince, expiredAt }, provenAt, isProven }
}

function nextExpiryPoll(context: Context, { dueDate }: Payment, now: Temporal.Instant): Temporal.Instant | null {
  const isPolled = Temporal.PlainDate.compare(context.clock.today('UTC'), dueDate.add(WATCH_PERIOD)) <= 0
  return isPolled ? now.add(POLL_INTERVAL) : null
}

/** Raised once: after an operator has closed the task, the same answer is no news. */
async function raiseExpiryTask(context: Context, payment: AcknowledgedPayment, error: BankError): Promise<void> {
  const task = paymentTask(payment, 'LapsedAtBank')
  if (!(await wasTaskRaised(context, task))) {
    const { bic: bank, bankPaymentId, dueDate } = payment
    const detail = { bank, bankPaymentId, dueDate: dueDate.toString(), text: error.message }
    await raiseTask(context, { ...task, detail })
  }
}
