/** Defines the jobs that poll payments at their banks and recover interrupted submissions. */
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { abandonExchange } from './exchange/abandon-exchange.ts'
import { pollExpiredOrder } from './status/poll-expired-order.ts'
import { pollPayment } from './status/poll-payment.ts'
import { backOffPoll } from './status/reschedule-payment-poll.ts'
import { findPayment } from './store/payment-store.ts'
import { failSubmission } from './submit/fail-submission.ts'

/** An overdue order is polled, cancelled and polled again. */
const CALLS_PER_PAYMENT_MAX = 3
/** Seconds that our own statements may add to the bank's time. */
const OWN_SECONDS = 30
/** Backoff of polls while calls to the bank are paused. */
const WHILE_PAUSED = { leastSeconds: 5, mostSeconds: 3600 }

/** The scan for payments that are due for polling. */
export const polling = {
  table: 'payments',
  partition: 'bic',
  name: 'payment polling',
  column: 'poll_at',
  time: 'business',
  toleranceMilliseconds: 7_200_000,
} as const
const recovering = { ...polling, name: 'submission recovery', column: 'recover_at', time: 'wall' } as const
/** Expired orders that were resubmitted. */
const expiredOrderPolling = { ...polling, table: 'expired_orders', name: 'expired orders' } as const

/** Returns the due-row scans over payments. */
export function paymentSweeps(context: Context): readonly Sweep[] {
  const leaseSeconds = leaseSecondsOf(context)
  return [
    dueRowSweep(context, { ...polling, leaseSeconds }, (key) => pollDuePayment(context, key)),
    dueRowSweep(context, { ...recovering, leaseSeconds }, (key) => recoverSubmission(context, key)),
    dueRowSweep(context, { ...expiredOrderPolling, leaseSeconds }, (key) => pollExpiredOrder(context, key)),
  ]
}

/** Longer than polling a payment at its bank may take. */
function leaseSecondsOf({ config }: Context): number {
  return CALLS_PER_PAYMENT_MAX * callSecondsMax(config) + OWN_SECONDS
}

async function pollDuePayment(context: Context, key: RowKey): Promise<void> {
  const payment = await findPayment(context.database, key)
  if (payment === undefined) {
    return
  }
  // One that could be read so far is read all the same: only its own failure shows that it cannot be read.
  if (payment.unreadSince !== null && (await context.banks.isPaused(payment.bic))) {
    await backOffPoll(context, payment, WHILE_PAUSED)
  } else {
    await pollPayment(context, payment)
  }
}

async function recoverSubmission(context: Context, key: RowKey): Promise<void> {
  const payment = await findPayment(context.database, key)
  if (payment === undefined) {
    return
  }
  const { partnerId, id: paymentId, bankRequestId, exchange } = payment
  const submission = { partnerId, paymentId, bankRequestId }
  if (exchange === 'booking' || exchange === 'cancelled') {
    await abandonExchange(context, submission, 'the process ended while it booked the exchange', 'recovery')
  } else {
    await failSubmission(context, submission, 'unknown', 'the process ended before it recorded the answer of the bank')
  }
}
