/** Appends an event in the transaction that makes it true. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { type Event, eventOf, type StatusChange } from './event.ts'
import { insertEvent } from './event-store.ts'

/** An event with its place in what the partner is told. */
export type AppendedEvent = Event & { readonly position: bigint }

/**
 * To be called last in the transaction: until that commits, no other event of the partner gets a position, so that
 * positions become visible in their order.
 */
export async function appendEvent(transaction: Queryable, change: StatusChange): Promise<AppendedEvent> {
  const event = eventOf(newId(), change)
  return { ...event, position: await insertEvent(transaction, event) }
}
