/** Sets when a payment is read again: later where its bank cannot be read, soon where the bank has more to say. */
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { postponePoll } from '../orders/status/payment-status-store.ts'
import { type RetryDelay, retryAt } from '../platform/jobs/retry-backoff.ts'

/** The bank took something that its status does not show yet. */
const SHOWS_SOON = { seconds: 10 }

/** What counts is how long it has gone unread, not how long ago a slow schedule had it read last. */
export async function postponeReading(context: Context, payment: Payment, delay: RetryDelay): Promise<void> {
  const now = context.clock.now()
  const unreadSince = payment.unreadSince ?? now
  const next = { pollAt: retryAt(unreadSince, now, delay), pollStep: payment.pollStep, unreadSince }
  await postponePoll(context.database, payment, next)
}

/** Has the next sweep read it at its bank. */
export async function readNext({ database, clock }: Context, payment: Payment): Promise<void> {
  await postponePoll(database, payment, { pollAt: clock.now(), pollStep: 0, unreadSince: payment.unreadSince })
}

/** Has the bank read as often as at first. */
export async function readSoon({ database, clock }: Context, payment: Payment): Promise<void> {
  const pollAt = clock.now().add(SHOWS_SOON)
  await postponePoll(database, payment, { pollAt, pollStep: 0, unreadSince: payment.unreadSince })
}
