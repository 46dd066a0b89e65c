/** A delivery: one event for one subscription, and its retry schedule. */
import type { WebhookAttempt, WebhookDeliveryStatus } from '../../../contract/webhooks/webhook-deliveries.ts'
import { formatTimestamp } from '../../platform/format-timestamp.ts'
import type { Attempt } from './dispatch/webhook-dispatcher.ts'

/** The key of a delivery. */
export type DeliveryKey = { readonly partnerId: string; readonly subscriptionId: string; readonly id: string }

/** A delivery that is to be attempted now. */
export type ClaimedDelivery = DeliveryKey & {
  readonly endpointVersion: number
  readonly origin: string
  readonly eventType: string
  readonly subjectId: string | null
  readonly body: string
  readonly attemptsMade: number
}

/** A delivery in the delivery log. */
export type Delivery = DeliveryKey & {
  readonly eventId: string
  readonly eventType: string
  readonly status: WebhookDeliveryStatus
  readonly createdAt: Temporal.Instant
  readonly attemptsMade: number
  readonly dueAt: Temporal.Instant | null
  readonly lastError: string | null
  readonly subjectId: string | null
  readonly targetUrl: string
  readonly body: string
  readonly attempts: readonly WebhookAttempt[]
}

/** The state of a delivery after an attempt. */
export type DeliveryState = {
  readonly status: WebhookDeliveryStatus
  /** When it is retried; null when it is not. */
  readonly dueAt: Temporal.Instant | null
}

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

export function isSuccess(attempt: Attempt): boolean {
  return attempt.kind === 'answered' && isSuccessStatus(attempt.status)
}

/** The attempt as the log shows it. */
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
