/** Makes polls of payments due: later after a failure, sooner when a change is expected, at once after a signature. */
import type { Context } from '../../context.ts'
import { nextAttemptAt, type RetryBackoff } from '../../platform/jobs/retry-backoff.ts'
import type { Payment } from '../payment.ts'
import { writeNextPoll, writeSigned } from '../store/payment-status-store.ts'

/** The backoff grows with the duration of the outage, not with the time since the last regular poll. */
export async function backOffPoll(
  context: Context,
  payment: Payment,
  delay: RetryBackoff,
  retryAfterSeconds: number | null = null,
): Promise<void> {
  const now = context.clock.now()
  const unreadSince = payment.unreadSince ?? now
  const pollAt = nextAttemptAt(unreadSince, now, delay, retryAfterSeconds)
  const next = { pollAt, pollStep: payment.pollStep, unreadSince }
  await writeNextPoll(context.database, payment, next)
}

/** Our own limits end within seconds, and cost the bank nothing. */
const AFTER_NOT_MADE_SECONDS = 5

/** After a poll that was not made, because of our own limits: that says nothing about the payment. */
export async function repeatPollSoon(
  { database, clock }: Context,
  payment: Payment,
  retryAfterSeconds: number | null,
): Promise<void> {
  const { pollStep, unreadSince } = payment
  const pollAt = clock.now().add({ seconds: Math.max(AFTER_NOT_MADE_SECONDS, retryAfterSeconds ?? 0) })
  await writeNextPoll(database, payment, { pollAt, pollStep, unreadSince })
}

/** Restarts the polling schedule with short intervals, from now or after a delay. */
export async function restartPolling(
  { database, clock }: Context,
  payment: Payment,
  delay: Temporal.DurationLike = { seconds: 0 },
): Promise<void> {
  const pollAt = clock.now().add(delay)
  await writeNextPoll(database, payment, { pollAt, pollStep: 0, unreadSince: payment.unreadSince })
}

/** Records a user's signature and schedules an immediate poll of the payment at its bank. */
export async function recordUserSignature({ database, clock }: Context, payment: Payment): Promise<void> {
  await writeSigned(database, payment, clock.now())
}
