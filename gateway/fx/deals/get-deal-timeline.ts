/** Lists the events of a deal for the timeline of its payment. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { DealKey } from './deal.ts'
import { type DealEvent, listDealEvents } from './deal-history-store.ts'

export type { DealEvent } from './deal-history-store.ts'

/**
 * Oldest first. `event` is the state that the deal changed to, or for its funds `money-held`, `money-sent-back` or
 * `money-back-at-sender`. `detail` has amounts as `{amount, currency}`; `reason` and `why` are codes or text.
 */
export async function getDealTimeline(database: Queryable, deal: DealKey): Promise<readonly DealEvent[]> {
  return await listDealEvents(database, deal)
}
