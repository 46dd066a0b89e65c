/** Reads and deletes the deals of all partners, for tests. */

import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Deal } from '../store/deal.ts'
import { dealOf, dealTables } from '../store/deal-store.ts'
import { listDealEvents } from '../store/deal-transition-store.ts'
import type { InboundFunds } from '../store/inbound-funds.ts'
import { findInboundFundsOfAnyPartner } from '../store/inbound-funds-store.ts'

/** A deal, its history, and its scheduled times. */
export type DealRow = {
  readonly deal: Deal
  /** Its states, in order. */
  readonly events: readonly string[]
  readonly waits: Readonly<Record<'due_at' | 'unwind_at' | 'notify_at', Temporal.Instant | null>>
}

export async function listAllDeals(database: Queryable): Promise<readonly DealRow[]> {
  const rows = await dealTables(database).selectFrom('fx_deals').selectAll().orderBy('id').execute()
  return await Promise.all(
    rows.map(async (row) => {
      const { due_at, unwind_at, notify_at } = row
      const deal = dealOf(row)
      const events = (await listDealEvents(database, deal)).map(({ event }) => event)
      return {
        deal,
        events: events.filter((event) => !event.startsWith('money-')),
        waits: { due_at, unwind_at, notify_at },
      }
    }),
  )
}

export async function listAllInboundFunds(database: Database<unknown>): Promise<readonly InboundFunds[]> {
  const { rows } = await database.pool.query<{ id: string }>('select id from fx_inbound_funds order by id')
  const found = await Promise.all(rows.map(({ id }) => findInboundFundsOfAnyPartner(database, id)))
  return found.filter((receipt) => receipt !== undefined)
}

export async function deleteAllDeals({ pool }: Database<unknown>): Promise<void> {
  await pool.query(
    'truncate fx_deals, fx_deal_history, fx_inbound_funds, fx_ledger_lines, fx_providers, fx_quotes, operator_tasks',
  )
}
