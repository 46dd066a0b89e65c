/** The statements that change a deal: its state, when it is seen to next, and what its payment has been told. */
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { BreakReason, Deal, DealKey, DealState } from './deal.ts'
import { dealOf, dealTables } from './deal-store.ts'

/** What a change of state brings with it; what is not given stays as it is. */
export type DealChange = {
  /** Business time of the next step at the provider. */
  readonly dueAt?: Temporal.Instant | null
  /** Business time from which it is undone there. */
  readonly breakAt?: Temporal.Instant | null
  readonly reason?: string | null
  readonly signedAt?: Temporal.Instant | null
  readonly conversionId?: string
  readonly payoutId?: string
  readonly returnedMinor?: bigint
}

/** Writes a change of state; undefined when the deal is not in the state any more that it was read in. */
export async function writeMove(
  database: Queryable,
  deal: Deal,
  next: DealChange & { readonly state: DealState; readonly at: Temporal.Instant },
): Promise<Deal | undefined> {
  const at = next.at.toString()
  const row = await dealTables(database)
    .updateTable('fx_deals')
    .set({
      state: next.state,
      version: sql<number>`version + 1`,
      changed_at: at,
      due_at: next.dueAt?.toString() ?? null,
      break_at: next.breakAt?.toString() ?? null,
      tell_at: deal.paymentId === null ? null : at,
      failing_since: null,
      attempts: 0,
      doubt_until: null,
      lease_until: null,
      ...(next.reason === undefined ? {} : { reason: next.reason }),
      ...(next.signedAt === undefined ? {} : { signed_at: next.signedAt?.toString() ?? null }),
      ...(next.conversionId === undefined ? {} : { conversion_id: next.conversionId }),
      ...(next.payoutId === undefined ? {} : { payout_id: next.payoutId }),
      ...(next.returnedMinor === undefined ? {} : { returned_minor: next.returnedMinor }),
    })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .where('state', '=', deal.state)
    .returningAll()
    .executeTakeFirst()
  return row && dealOf(row)
}

/** Notes that a deal whose booking is not known is not wanted any more; false when it is known by now. */
export async function writeUnwanted(database: Queryable, deal: DealKey, reason: BreakReason): Promise<boolean> {
  const { numUpdatedRows } = await dealTables(database)
    .updateTable('fx_deals')
    .set({ unwanted: sql<BreakReason>`coalesce(unwanted, ${reason})` })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .where('state', '=', 'booking')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A payout that is about to be asked for: under which id the provider knows the receiver, and until when it is in doubt. */
export type PayoutAsked = { readonly beneficiaryId: string; readonly doubtUntil: Temporal.Instant }

/** Keeps it before it is asked for, for whoever comes after a death; false when the deal was moved on meanwhile. */
export async function writePayoutAsked(database: Queryable, deal: Deal, asked: PayoutAsked): Promise<boolean> {
  const { numUpdatedRows } = await dealTables(database)
    .updateTable('fx_deals')
    .set({ beneficiary_id: asked.beneficiaryId, doubt_until: asked.doubtUntil.toString() })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .where('version', '=', deal.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes that a request was answered, which leaves the doubt of others; that is given back. */
export async function writePayoutAnswered(
  database: Queryable,
  deal: Deal,
  doubtUntil: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const before = deal.doubtUntil?.toString() ?? null
  const row = await dealTables(database)
    .updateTable('fx_deals')
    .set({
      doubt_until: sql<string | null>`case when doubt_until = ${doubtUntil.toString()}::timestamptz
        then ${before}::timestamptz else doubt_until end`,
    })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .returning('doubt_until')
    .executeTakeFirst()
  return row?.doubt_until ?? null
}

/** When a deal is seen to next, what is known of attempts that failed, and its lease given back. */
export type Postponed = Pick<Deal, 'attempts' | 'failingSince'> & {
  readonly dueAt?: Temporal.Instant | null
  readonly breakAt?: Temporal.Instant | null
}

/** Has a deal seen to at another time, unless its state has changed since. */
export async function postponeDeal(database: Queryable, deal: Deal, next: Postponed): Promise<void> {
  await dealTables(database)
    .updateTable('fx_deals')
    .set({
      attempts: next.attempts,
      failing_since: next.failingSince?.toString() ?? null,
      lease_until: null,
      ...(next.dueAt === undefined ? {} : { due_at: unlessHastened('due_at', deal.dueAt, next.dueAt) }),
      ...(next.breakAt === undefined ? {} : { break_at: unlessHastened('break_at', deal.breakAt, next.breakAt) }),
    })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .where('version', '=', deal.version)
    .execute()
}

/** What somebody told meanwhile is seen to at once: a time is only put where the one stands that was read. */
function unlessHastened(
  column: 'due_at' | 'break_at',
  read: Temporal.Instant | null,
  next: Temporal.Instant | null,
): RawBuilder<string | null> {
  const [name, before, after] = [sql.ref(column), read?.toString() ?? null, next?.toString() ?? null]
  return sql`case when ${name} is not distinct from ${before}::timestamptz then ${after}::timestamptz else ${name} end`
}

/** Has a deal seen to now, whatever it waits for; one that waits for nothing goes on doing so. */
export async function hastenDeal(database: Queryable, deal: DealKey, at: Temporal.Instant): Promise<void> {
  const now = at.toString()
  await dealTables(database)
    .updateTable('fx_deals')
    .set({
      due_at: sql<string | null>`case when due_at is not null then ${now}::timestamptz end`,
      break_at: sql<string | null>`case when break_at is not null then ${now}::timestamptz end`,
    })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .execute()
}

/** Has the deal seen to now that a provider tells of by our id; what waits for nothing goes on doing so. */
export async function hastenNoticed(database: Queryable, id: string, at: Temporal.Instant): Promise<void> {
  await dealTables(database)
    .updateTable('fx_deals')
    .set({ due_at: at.toString() })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute()
}

/** Notes that the payment knows of the deal as it was read; a change since is told anew. */
export async function writeTold(database: Queryable, deal: Deal): Promise<void> {
  await dealTables(database)
    .updateTable('fx_deals')
    .set({
      tell_at: sql<string | null>`case when version = ${deal.version}::int then null else tell_at end`,
      lease_until: null,
    })
    .where('partner_id', '=', deal.partnerId)
    .where('id', '=', deal.id)
    .execute()
}
