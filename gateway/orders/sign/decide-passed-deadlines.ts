/** Decides on exchanges whose deadline for the signature has passed, before an approval of them starts. */
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { mapWithConcurrency } from '../../platform/map-with-concurrency.ts'
import { decideExchangeAtDeadline } from '../exchange/decide-exchange-at-deadline.ts'
import { isPastSigningDeadline } from '../exchange-state.ts'
import { findOrdersOf } from '../find-orders.ts'
import type { Payment } from '../payment.ts'
import { refreshApprovalScaSessions } from './refresh-approval-sca-sessions.ts'

/** Leaves capacity of the bank's rate limit for other waiting users. */
const DECISIONS_AT_ONCE = 4
const RETRY_AFTER_SECONDS = 10

/**
 * Decides on those payments whose deadline has passed, as the sweep would have if worker and bank had been there. Throws
 * `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the bank does not show whether one was signed in time.
 */
export async function decidePassedDeadlines(context: Context, payments: readonly Payment[]): Promise<void> {
  const now = context.clock.now()
  const overdue = payments.filter((payment) => isPastSigningDeadline(payment, now))
  // A decision that is not due is being made, or waits for the bank.
  const due = overdue.filter(({ decideAt }) => decideAt !== null && Temporal.Instant.compare(decideAt, now) <= 0)
  await mapWithConcurrency(due, DECISIONS_AT_ONCE, (payment) =>
    decideExchangeAtDeadline(context, payment, (one) => refreshApprovalScaSessions(context, one)),
  )
  for (const { partnerId, id } of overdue) {
    const undecided = await findOrdersOf(context, partnerId, [id])
    if (undecided.some((payment) => isPastSigningDeadline(payment, now))) {
      throw apiError(
        'AUTHENTICATION_TEMPORARY_UNAVAILABLE',
        `The deadline for the signature of payment ${id} has passed, and its bank does not show yet whether it was signed ` +
          'in time. Nothing can be signed until it does; read the status of the payment',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    }
  }
}
