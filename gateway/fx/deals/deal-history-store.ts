/** Every query on the history of deals, which is append-only. */
import type { ColumnType, Kysely } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import type { DealKey } from './deal.ts'

type Tables = {
  fx_deal_history: {
    partner_id: string
    id: string
    deal_id: string
    at: ColumnType<Temporal.Instant, string, never>
    event: string
    detail: ColumnType<Readonly<Record<string, unknown>>, string, never>
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** One event of a deal. `detail` holds amounts and text of the provider, never data of the beneficiary. */
export type DealEvent = {
  readonly at: Temporal.Instant
  readonly event: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Appends an event. */
export async function insertDealEvent(database: Queryable, deal: DealKey, dealEvent: DealEvent): Promise<void> {
  await tables(database)
    .insertInto('fx_deal_history')
    .values({
      partner_id: deal.partnerId,
      id: newId(),
      deal_id: deal.id,
      at: dealEvent.at.toString(),
      event: dealEvent.event,
      detail: JSON.stringify(dealEvent.detail),
    })
    .execute()
}

/** The events of a deal, oldest first. */
export async function listDealEvents(database: Queryable, deal: DealKey): Promise<readonly DealEvent[]> {
  return await tables(database)
    .selectFrom('fx_deal_history')
    .select(['at', 'event', 'detail'])
    .where('partner_id', '=', deal.partnerId)
    .where('deal_id', '=', deal.id)
    .orderBy('at')
    .orderBy('id')
    .execute()
}
