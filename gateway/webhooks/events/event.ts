/** What an event is: one change of a payment's status, told in a body that is never written twice. */
import {
  EVENT_VERSION,
  type PaymentEventType,
  type PaymentStatusEvent,
  paymentEventTypes,
} from '../../../contract/webhooks/webhook-events.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'

/** A change of a payment's status, as its room tells it. */
export type StatusChange = PaymentStatusEvent['data'] & {
  readonly partnerId: string
  /** Business time; later than that of the payment's last event. */
  readonly occurredAt: Temporal.Instant
}

/** An event as it is kept. */
export type Event = {
  readonly partnerId: string
  readonly id: string
  readonly type: PaymentEventType
  readonly version: string
  readonly paymentId: string
  readonly occurredAt: Temporal.Instant
  /** JSON, to be signed and delivered as it is. */
  readonly body: string
}

/** Writes the event of a change. */
export function eventOf(id: string, { partnerId, occurredAt, ...change }: StatusChange): Event {
  const { paymentId, previousStatus, status, statusReason, statusReasonText } = change
  const type = paymentEventTypes[status]
  const told: PaymentStatusEvent = {
    id,
    type,
    version: EVENT_VERSION,
    occurredAt: printTimestamp(occurredAt),
    data: { paymentId, previousStatus, status, statusReason, statusReasonText },
  }
  return { partnerId, id, type, version: EVENT_VERSION, paymentId, occurredAt, body: JSON.stringify(told) }
}
