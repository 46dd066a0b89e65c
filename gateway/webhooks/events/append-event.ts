/** Appends an event in the transaction of the change that it reports. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { createEvent, type Event, type StatusChange } from './event.ts'
import { insertEvent } from './event-store.ts'

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
