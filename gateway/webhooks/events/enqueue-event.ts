/** Appends an event and enqueues its deliveries in the transaction of the change that it reports. */

import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { enqueueDeliveries, outboxEventOf } from '../store/delivery-store.ts'
import { createEvent, type Event, type StatusChange } from '../store/event.ts'
import { insertEvent, insertEvents } from '../store/event-store.ts'

/**
 * Must be called last in the transaction. The event comes first: until the transaction ends it locks out changes of
 * subscriptions, so that exactly those that select the event when it happens get a delivery.
 */
export async function enqueueEvent(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Logger, 'debug'> },
  transaction: Queryable,
  change: StatusChange,
): Promise<void> {
  const event = await appendEvent(transaction, change)
  const { partnerId, id: eventId, type: eventType, subjectId } = event
  await enqueueDeliveries(transaction, { partnerId }, [outboxEventOf(event)], clock.now())
  // Every delivery names the event, and every call to a bank the payment: this line connects the two.
  log.debug({ eventId, eventType, paymentIds: [subjectId] }, 'an event was enqueued')
}

/** An event with its position in the partner's stream. */
export type AppendedEvent = Event & { readonly position: bigint }

/**
 * Must be called last in the transaction: until that commits, no other event of the partner gets a position, so that
 * positions become visible in order.
 */
export async function appendEvent(transaction: Queryable, change: StatusChange): Promise<AppendedEvent> {
  const event = createEvent(change)
  return { ...event, position: await insertEvent(transaction, event) }
}

/** Stores events of the past in the order given, without deliveries, for data sets of the sandbox. */
export async function storePastEvents(
  transaction: Queryable,
  partnerId: string,
  changes: readonly StatusChange[],
): Promise<void> {
  await insertEvents(transaction, partnerId, changes.map(createEvent))
}
