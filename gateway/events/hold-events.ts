/** Holds back a partner's further events until a transaction ends, for what must come either before or after each. */
import type { Queryable } from '../platform/database/in-transaction.ts'
import { lockPosition } from '../webhooks/events/event-store.ts'

/**
 * Whoever is recording an event ends first, and whoever would record one waits: so an event is either wholly before the
 * caller's change or wholly after it.
 */
export async function holdEvents(transaction: Queryable, partnerId: string): Promise<void> {
  await lockPosition(transaction, partnerId)
}
