/** What follows from an attempt: its entry in the log, and when a failed delivery is retried or ends. */
import type { WebhookAttempt } from '../../../contract/webhooks/webhook-deliveries.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import type { DeliveryState } from '../store/delivery.ts'
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

/** Whether the endpoint accepted the delivery. */
export function isSuccess(attempt: Attempt): boolean {
  return attempt.kind === 'answered' && isSuccessStatus(attempt.status)
}

export function attemptLogEntry(attempt: Attempt, at: Temporal.Instant): WebhookAttempt {
  const isAnswered = attempt.kind === 'answered'
  return {
    at: formatTimestamp(at),
    durationMilliseconds: attempt.milliseconds,
    statusCode: isAnswered ? attempt.status : null,
    answer: isAnswered ? attempt.answer : null,
    error: isAnswered ? errorOfStatus(attempt.status) : attempt.error,
  }
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300
}

function errorOfStatus(status: number): string | null {
  if (isSuccessStatus(status)) {
    return null
  }
  const addition = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  return `The endpoint answered ${status}${addition}`
}
