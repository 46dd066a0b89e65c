/** Tells what became of a deal, step by step, for whoever shows its payment. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { DealKey } from './deal.ts'
import { type DealEvent, listDealEvents } from './deal-history-store.ts'

export type { DealEvent } from './deal-history-store.ts'

/**
 * Oldest first. `event` is the state that the deal moved on to, or of its money `money-held`, `money-sent-back` and
 * `money-back-at-sender`. `detail` has amounts as `{amount, currency}`, and `reason` or `why` in our words or the provider's.
 */
export async function timelineOf(database: Queryable, deal: DealKey): Promise<readonly DealEvent[]> {
  return await listDealEvents(database, deal)
}
