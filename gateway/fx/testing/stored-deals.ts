/** Reads all that is kept of deals, as no part of the gateway ever does, and empties it again. */

import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Deal } from '../deals/deal.ts'
import { listDealEvents } from '../deals/deal-history-store.ts'
import { dealOf, dealTables } from '../deals/deal-store.ts'
import type { Receipt } from '../funding/inbound-funds.ts'
import { findReceiptOfAnybody } from '../funding/inbound-funds-store.ts'

/** A deal, what became of it, and what it waits for. */
export type DealRow = {
  readonly deal: Deal
  /** The states that it came to, in order. */
  readonly events: readonly string[]
  readonly waits: Readonly<Record<'due_at' | 'break_at' | 'tell_at', Temporal.Instant | null>>
}

/** Every deal of everybody. */
export async function everyDeal(database: Queryable): Promise<readonly DealRow[]> {
  const rows = await dealTables(database).selectFrom('fx_deals').selectAll().orderBy('id').execute()
  return await Promise.all(
    rows.map(async (row) => {
      const { due_at, break_at, tell_at } = row
      const deal = dealOf(row)
      const events = (await listDealEvents(database, deal)).map(({ event }) => event)
      return {
        deal,
        events: events.filter((event) => !event.startsWith('money-')),
        waits: { due_at, break_at, tell_at },
      }
    }),
  )
}

/** All money that ever arrived. */
export async function everyReceipt(database: Database<unknown>): Promise<readonly Receipt[]> {
  const { rows } = await database.pool.query<{ id: string }>('select id from fx_receipts order by id')
  const found = await Promise.all(rows.map(({ id }) => findReceiptOfAnybody(database, id)))
  return found.filter((receipt) => receipt !== undefined)
}

/** Nothing of it is left. */
export async function forgetEverything({ pool }: Database<unknown>): Promise<void> {
  await pool.query(
    'truncate fx_deals, fx_deal_history, fx_receipts, fx_postings, fx_providers, fx_quotes, operator_tasks',
  )
}
