/** Records the changes that a subscription selects, with their deliveries, in the transaction of the changes. */

import { type EventType, familyOf } from '../../../contract/webhooks/event-types.ts'
import { laterOf } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { enqueueDeliveries, outboxEventOf } from '../store/delivery-store.ts'
import { createReportedEvent, type Event, type ReportedChange } from '../store/event.ts'
import { findEarlierEvents, insertEvents } from '../store/event-store.ts'
import { listSelectedTypes } from '../store/subscription-store.ts'

/** Whose events they are, and when the changes happened, in business time. */
export type EventOrigin = { readonly partnerId: string; readonly at: Temporal.Instant }

/** Whether a subscription of the partner selects a type. */
export type EventSelection = (type: EventType) => boolean

/** Times in events have milliseconds. */
const ORDERED_BY = { milliseconds: 1 }

/** For changes that cost something to find out. */
export async function findEventSelection(database: Queryable, partnerId: string): Promise<EventSelection> {
  const selected = new Set(await listSelectedTypes(database, partnerId))
  return (type) => selected.has(type) || selected.has(familyOf(type))
}

/**
 * Must be called last in the transaction, and after it has locked the rows of the subjects: then no other transaction
 * writes events about them meanwhile. Without a subscription to one of the types it reads one index and writes nothing.
 */
export async function enqueueSelectedEvents(
  transaction: Queryable,
  { partnerId, at, selects }: EventOrigin & { readonly selects?: EventSelection },
  changes: readonly ReportedChange[],
): Promise<void> {
  if (changes.length === 0) {
    return
  }
  const isSelected = selects ?? (await findEventSelection(transaction, partnerId))
  const selected = changes.filter(({ type }) => isSelected(type))
  if (selected.length === 0) {
    return
  }
  const events = await createEvents(transaction, { partnerId, at }, selected)
  await insertEvents(transaction, partnerId, events)
  const outbox = events.map((event) => outboxEventOf(event))
  await enqueueDeliveries(transaction, { partnerId }, outbox, at)
}

/** Each later than all earlier events about its subject. */
async function createEvents(
  transaction: Queryable,
  { partnerId, at }: EventOrigin,
  changes: readonly ReportedChange[],
): Promise<readonly Event[]> {
  const subjectIds = [...new Set(changes.map(({ subjectId }) => subjectId))]
  const earlier = await findEarlierEvents(transaction, partnerId, subjectIds)
  return changes.map((change) => {
    const before = earlier.lastTimes.get(change.subjectId)
    const occurredAt = before === undefined ? at : laterOf(at, before.add(ORDERED_BY))
    earlier.lastTimes.set(change.subjectId, occurredAt)
    const kind = `${change.subjectId} ${change.type}`
    const event = createReportedEvent(change, { partnerId, occurredAt, previousId: earlier.lastIds.get(kind) ?? '' })
    earlier.lastIds.set(kind, event.id)
    return event
  })
}
