/** Locks a partner's event stream until a transaction ends, for changes that must be ordered relative to each event. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { lockPosition } from './event-store.ts'

/**
 * Waits for transactions that are recording an event, and blocks those that would: so an event is entirely before or
 * entirely after the caller's change. Returns the position of the last event.
 */
export async function lockEventStream(transaction: Queryable, partnerId: string): Promise<bigint> {
  return await lockPosition(transaction, partnerId)
}
