/** An event: one change of a resource, with an immutable body. */
import type { EventType } from '../../../contract/webhooks/event-types.ts'
import { paymentEventTypes } from '../../../contract/webhooks/event-types.ts'
import { EVENT_VERSION, type EventBodies, type PaymentStatusEvent } from '../../../contract/webhooks/webhook-events.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { derivedId, newId } from '../../platform/ids.ts'

/** A change of a payment's status, as its module reports it. */
export type StatusChange = PaymentStatusEvent['data'] & {
  readonly partnerId: string
  /** Business time; later than that of the payment's last event. */
  readonly occurredAt: Temporal.Instant
  /** How often the payment had this status before; distinguishes events of one type. */
  readonly occurrence: number
}

/** The types of each family with what their events say, without the envelope. */
type Reported = { [Family in keyof EventBodies]: Pick<EventBodies[Family], 'type' | 'data'> }[keyof EventBodies]

/** A change that a module reports; recorded if a subscription selects its type. */
export type ReportedChange = Reported & {
  /** Its events are delivered one after the other. */
  readonly subjectId: string
}

export type Event = {
  readonly partnerId: string
  /** Derived from the change: after a restore of the database the same change gets the same id (decision 0121). */
  readonly id: string
  /** An id with the time and the order in which events were recorded. */
  readonly stamp: string
  readonly type: EventType
  readonly version: string
  /** What changed: a payment, a consent, … */
  readonly subjectId: string
  readonly occurredAt: Temporal.Instant
  /** JSON, signed and delivered unchanged. */
  readonly body: string
}

/**
 * Creates the event of a change of a payment's status. Its id depends on the status and how often it occurred only: after
 * a restore, statuses in between may have passed unseen.
 */
export function createEvent({ partnerId, occurredAt, occurrence, ...change }: StatusChange): Event {
  const { paymentId, previousStatus, status, statusReason, statusReasonText } = change
  const data = { paymentId, previousStatus, status, statusReason, statusReasonText }
  const type = paymentEventTypes[status]
  const id = derivedId(paymentId, [partnerId, type, occurrence])
  return eventOf({ type, subjectId: paymentId, data }, { partnerId, occurredAt, id })
}

/** Creates the event of a reported change; `previousId` is that of its subject's last event of this type. */
export function createReportedEvent(
  change: ReportedChange,
  { partnerId, occurredAt, previousId }: Pick<Event, 'partnerId' | 'occurredAt'> & { readonly previousId: string },
): Event {
  const { subjectId, type, data } = change
  const id = derivedId(subjectId, [partnerId, type, previousId, JSON.stringify(data)])
  return eventOf(change, { partnerId, occurredAt, id })
}

function eventOf(
  { type, subjectId, data }: ReportedChange,
  { partnerId, occurredAt, id }: Pick<Event, 'partnerId' | 'occurredAt' | 'id'>,
): Event {
  const stamp = newId()
  const body = JSON.stringify({ id, type, version: EVENT_VERSION, occurredAt: formatTimestamp(occurredAt), data })
  return { partnerId, id, stamp, type, version: EVENT_VERSION, subjectId, occurredAt, body }
}
