/** Puts off reading a payment that cannot be read at its bank: soon again at first, and the longer it lasts, the later. */
import type { Context } from '../context.ts'
import { type RetryDelay, retryAt } from '../foundation/retry-delay.ts'
import type { Payment } from './payment.ts'
import { postponePoll } from './status-store.ts'

/** What counts is how long it has gone unread, not how long ago a slow schedule had it read last. */
export async function postponeReading(context: Context, payment: Payment, delay: RetryDelay): Promise<void> {
  const now = context.clock.now()
  const unreadSince = payment.unreadSince ?? now
  const next = { pollAt: retryAt(unreadSince, now, delay), pollStep: payment.pollStep, unreadSince }
  await postponePoll(context.database, payment, next)
}
