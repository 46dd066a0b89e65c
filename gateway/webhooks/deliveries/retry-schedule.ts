/** Says when a failed delivery is retried, and when it is given up. */
import { type DeliveryState, isSuccess } from './delivery.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

/** The wait after each consecutive failure; one more failure ends the delivery. */
export const RETRY_MINUTES = [1, 5, 30, 120, 360] as const

const RETRYABLE_STATUSES = new Set([408, 429])

/** The state after the attempt of this number, counted from one. */
export function stateAfterAttempt(attempt: Attempt, number: number, now: Temporal.Instant): DeliveryState {
  if (attempt.kind === 'refused') {
    return { status: 'Refused', dueAt: null }
  }
  if (isSuccess(attempt)) {
    return { status: 'Delivered', dueAt: null }
  }
  const minutes = RETRY_MINUTES[number - 1]
  const mayRetry = attempt.kind !== 'answered' || attempt.status >= 500 || RETRYABLE_STATUSES.has(attempt.status)
  return mayRetry && minutes !== undefined
    ? { status: 'Queued', dueAt: now.add({ minutes }) }
    : { status: 'Failed', dueAt: null }
}
