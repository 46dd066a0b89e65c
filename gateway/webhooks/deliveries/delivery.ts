/** A delivery: one event for one subscription, and its entry in the delivery log. */
import type { WebhookAttempt, WebhookDeliveryStatus } from '../../../contract/webhooks/webhook-deliveries.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
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

/** The sweep over deliveries that are ready. */
export const WEBHOOK_DELIVERIES = 'webhook deliveries'

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

/** Whether the endpoint accepted the delivery. */
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
