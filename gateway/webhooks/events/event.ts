/** An event: one change of a payment's status, with an immutable body. */
import {
  EVENT_VERSION,
  type PaymentEventType,
  type PaymentStatusEvent,
  paymentEventTypes,
} from '../../../contract/webhooks/webhook-events.ts'
import { formatTimestamp } from '../../platform/format-timestamp.ts'

/** A change of a payment's status, as its module reports it. */
export type StatusChange = PaymentStatusEvent['data'] & {
  readonly partnerId: string
  /** Business time; later than that of the payment's last event. */
  readonly occurredAt: Temporal.Instant
}

/** A stored event. */
export type Event = {
  readonly partnerId: string
  readonly id: string
  readonly type: PaymentEventType
  readonly version: string
  readonly paymentId: string
  readonly occurredAt: Temporal.Instant
  /** JSON, signed and delivered unchanged. */
  readonly body: string
}

/** Creates the event of a change. */
export function createEvent(id: string, { partnerId, occurredAt, ...change }: StatusChange): Event {
  const { paymentId, previousStatus, status, statusReason, statusReasonText } = change
  const type = paymentEventTypes[status]
  const body: PaymentStatusEvent = {
    id,
    type,
    version: EVENT_VERSION,
    occurredAt: formatTimestamp(occurredAt),
    data: { paymentId, previousStatus, status, statusReason, statusReasonText },
  }
  return { partnerId, id, type, version: EVENT_VERSION, paymentId, occurredAt, body: JSON.stringify(body) }
}
