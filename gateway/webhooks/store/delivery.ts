/** A delivery: one event for one subscription, and its entry in the delivery log. */
import type { WebhookAttempt, WebhookDeliveryStatus } from '../../../contract/webhooks/webhook-deliveries.ts'

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
