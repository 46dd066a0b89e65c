/** Describes deals to operators: their list, those of a payment, what they cost, and which of them must still be signed. */
import { sql } from 'kysely'
import { countWaiting, type Waiting } from '../../partners/partner-rows.ts'
import { companyOfRecord, type RecordSource } from '../../partners/record-list.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import type { Money } from '../../platform/money.ts'

const COMPANY_OF_QUOTE = { table: 'fx_quotes', key: 'quote_id', hasOneRecord: true } as const

export const DEAL_ROWS = {
  table: 'fx_deals',
  noun: 'exchange',
  statusColumn: 'state',
  company: COMPANY_OF_QUOTE,
  columns: {
    created: 'created_at',
    company: companyOfRecord(COMPANY_OF_QUOTE),
    payment: 'payment_id',
    deadline: 'deadline',
    status: 'state',
    reason: 'reason',
  },
} as const satisfies RecordSource

type OfPartner = { readonly partnerId: string; readonly id: string }

/** The deals of the exchange of a payment, oldest first. */
export async function listDealIdsOfPayment({ query }: Queryable, payment: OfPartner): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from fx_deals where partner_id = ${payment.partnerId} and payment_id = ${payment.id} order by id`.execute(
    query,
  )
  return rows.map(({ id }) => id)
}

/** The version of the deals of the payment `p`, as a part of a statement. */
export const DEALS_VERSION = sql`(
  select string_agg(d.version::text, ' ' order by d.id)
  from fx_deals d where d.partner_id = p.partner_id and d.payment_id = p.id)`

/** What a deal is for, and what it costs. */
export type DealSummary = OfPartner & { readonly paymentId: string | null; readonly cost: Money }

/** Those that exist of these keys. */
export async function listDealSummaries(
  { query }: Queryable,
  keys: readonly OfPartner[],
): Promise<readonly DealSummary[]> {
  const { rows } = await sql<Omit<DealSummary, 'cost'> & Money>`
    select d.partner_id as "partnerId", d.id, d.payment_id as "paymentId", d.cost_minor as minor,
      d.cost_currency as currency
    from unnest(${keys.map(({ partnerId }) => partnerId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as k (partner_id, id)
      join fx_deals d on d.partner_id = k.partner_id and d.id = k.id`.execute(query)
  return rows.map(({ minor, currency, ...deal }) => ({ ...deal, cost: { minor, currency } }))
}

/** Exchanges whose users must still sign, at most `max` of each partner, and until when the first of them must. */
export async function countDeadlinesAhead(
  database: Queryable,
  partnerId: string | null,
  { now, max }: { readonly now: Temporal.Instant; readonly max: number },
): Promise<Waiting> {
  const ahead = sql`
    select deadline as at from fx_deals where partner_id = o.id and state = 'booked' and deadline > ${timestamp(now)}
    order by deadline limit ${max}`
  return await countWaiting(database, partnerId, ahead)
}
