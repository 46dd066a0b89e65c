/** An event: one change of a resource, with an immutable body. */
import type { EventType } from '../../../contract/webhooks/event-types.ts'
import { paymentEventTypes } from '../../../contract/webhooks/event-types.ts'
import { EVENT_VERSION, type EventBodies, type PaymentStatusEvent } from '../../../contract/webhooks/webhook-events.ts'
import { formatTimestamp } from '../../platform/format-timestamp.ts'

/** A change of a payment's status, as its module reports it. */
export type StatusChange = PaymentStatusEvent['data'] & {
  readonly partnerId: string
  /** Business time; later than that of the payment's last event. */
  readonly occurredAt: Temporal.Instant
}

/** The types of each family with what their events say, without the envelope. */
type Reported = { [Family in keyof EventBodies]: Pick<EventBodies[Family], 'type' | 'data'> }[keyof EventBodies]

/** A change that a module reports; recorded if a subscription selects its type. */
export type ReportedChange = Reported & {
  /** Its events are delivered one after the other. */
  readonly subjectId: string
}

/** A stored event. */
export type Event = {
  readonly partnerId: string
  readonly id: string
  readonly type: EventType
  readonly version: string
  /** What changed: a payment, a consent, … */
  readonly subjectId: string
  readonly occurredAt: Temporal.Instant
  /** JSON, signed and delivered unchanged. */
  readonly body: string
}

/** Creates the event of a change of a payment's status. */
export function createEvent(id: string, { partnerId, occurredAt, ...change }: StatusChange): Event {
  const { paymentId, previousStatus, status, statusReason, statusReasonText } = change
  const data = { paymentId, previousStatus, status, statusReason, statusReasonText }
  return createReportedEvent(
    id,
    { type: paymentEventTypes[status], subjectId: paymentId, data },
    { partnerId, occurredAt },
  )
}

/** Creates the event of a reported change. */
export function createReportedEvent(
  id: string,
  { type, subjectId, data }: ReportedChange,
  { partnerId, occurredAt }: Pick<Event, 'partnerId' | 'occurredAt'>,
): Event {
  const body = JSON.stringify({ id, type, version: EVENT_VERSION, occurredAt: formatTimestamp(occurredAt), data })
  return { partnerId, id, type, version: EVENT_VERSION, subjectId, occurredAt, body }
}
