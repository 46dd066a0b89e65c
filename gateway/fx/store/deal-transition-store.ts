/** Every update of a deal: its state, its schedule, and whether its payment was notified. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import { newId } from '../../platform/ids.ts'
import type { Deal, DealCancellationReason, DealEvent, DealKey, DealState } from './deal.ts'
import { dealOf, dealTables } from './deal-store.ts'

/** Columns that change along with the state; those not given stay as they are. */
export type DealChange = {
  /** Business time of the next step at the provider. */
  readonly dueAt?: Temporal.Instant | null
  /** Business time from which the conversion is cancelled at the provider. */
  readonly unwindAt?: Temporal.Instant | null
  readonly reason?: string | null
  readonly signedAt?: Temporal.Instant | null
  readonly conversionId?: string
  readonly payoutId?: string
  readonly returnedMinor?: bigint
}

/** Updates the state; undefined when the deal is no longer in the state in which it was read. */
export async function writeDealTransition(
  database: Queryable,
  deal: Deal,
  next: DealChange & { readonly state: DealState; readonly at: Temporal.Instant },
): Promise<Deal | undefined> {
  const { at, ...change } = next
  const row = await dealTables(database)
    .updateTable('fx_deals')
    .set({
      ...rowOf({ dueAt: null, unwindAt: null, ...change, changedAt: at }),
      ...rowOf({ notifyAt: deal.paymentId === null ? null : at, outcomeUnknownUntil: null, leaseUntil: null }),
      ...rowOf({ failingSince: null, attempts: 0 }),
      version: sql<number>`version + 1`,
    })
    .where(hasKey(deal))
    .where('state', '=', deal.state)
    .returningAll()
    .executeTakeFirst()
  return row && dealOf(row)
}

/** Records that a deal with an unknown booking outcome is to be cancelled; false when the outcome is known by now. */
export async function writePendingCancellation(
  database: Queryable,
  deal: DealKey,
  reason: DealCancellationReason,
): Promise<boolean> {
  const { numUpdatedRows } = await dealTables(database)
    .updateTable('fx_deals')
    .set({ cancel_reason: sql<DealCancellationReason>`coalesce(cancel_reason, ${reason})` })
    .where(hasKey(deal))
    .where('state', '=', 'booking')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A payout that is about to be ordered: the provider's beneficiary id, and until when its outcome may be unknown. */
export type PayoutSubmission = { readonly beneficiaryId: string; readonly outcomeUnknownUntil: Temporal.Instant }

/** Records the payout before it is ordered, for recovery after a crash; false when the deal has changed meanwhile. */
export async function writePayoutSubmission(
  database: Queryable,
  deal: Deal,
  submission: PayoutSubmission,
): Promise<boolean> {
  const { numUpdatedRows } = await dealTables(database)
    .updateTable('fx_deals')
    .set(rowOf(submission))
    .where(hasKey(deal))
    .where('version', '=', deal.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records that this request was answered; returns until when an earlier request may still take effect. */
export async function writePayoutAnswer(
  database: Queryable,
  deal: Deal,
  outcomeUnknownUntil: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const before = deal.outcomeUnknownUntil?.toString() ?? null
  const row = await dealTables(database)
    .updateTable('fx_deals')
    .set({
      outcome_unknown_until: sql<
        string | null
      >`case when outcome_unknown_until = ${outcomeUnknownUntil.toString()}::timestamptz
        then ${before}::timestamptz else outcome_unknown_until end`,
    })
    .where(hasKey(deal))
    .returning('outcome_unknown_until')
    .executeTakeFirst()
  return row?.outcome_unknown_until ?? null
}

/** When the sweep processes a deal next, and its failed attempts; writing it releases the lease. */
export type DealSchedule = Pick<Deal, 'attempts' | 'failingSince'> & {
  readonly dueAt?: Temporal.Instant | null
  readonly unwindAt?: Temporal.Instant | null
}

/** Reschedules a deal unless its state has changed since it was read. */
export async function postponeDeal(database: Queryable, deal: Deal, next: DealSchedule): Promise<void> {
  await dealTables(database)
    .updateTable('fx_deals')
    .set({
      ...rowOf({ attempts: next.attempts, failingSince: next.failingSince, leaseUntil: null }),
      ...(next.dueAt === undefined ? {} : { due_at: unlessRescheduled('due_at', deal.dueAt, next.dueAt) }),
      ...(next.unwindAt === undefined
        ? {}
        : { unwind_at: unlessRescheduled('unwind_at', deal.unwindAt, next.unwindAt) }),
    })
    .where(hasKey(deal))
    .where('version', '=', deal.version)
    .execute()
}

/** A time that was changed since it was read wins: a notification made the deal due at once. */
export function unlessRescheduled(
  column: 'due_at' | 'unwind_at',
  read: Temporal.Instant | null,
  next: Temporal.Instant | null,
): RawBuilder<string | null> {
  const [name, before, after] = [sql.ref(column), read?.toString() ?? null, next?.toString() ?? null]
  return sql`case when ${name} is not distinct from ${before}::timestamptz then ${after}::timestamptz else ${name} end`
}

/** Makes a deal due now; has no effect on one that has nothing scheduled. */
export async function makeDealDue(database: Queryable, deal: DealKey, at: Temporal.Instant): Promise<void> {
  const now = at.toString()
  await dealTables(database)
    .updateTable('fx_deals')
    .set({
      due_at: sql<string | null>`case when due_at is not null then ${now}::timestamptz end`,
      unwind_at: sql<string | null>`case when unwind_at is not null then ${now}::timestamptz end`,
    })
    .where(hasKey(deal))
    .execute()
}

/** Makes the deal due now that a provider's notification names by our id; no effect if nothing is scheduled. */
export async function makeNotifiedDealDue(database: Queryable, id: string, at: Temporal.Instant): Promise<void> {
  await dealTables(database)
    .updateTable('fx_deals')
    .set({ due_at: at.toString() })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute()
}

/** Records that the payment was notified of this version of the deal; a later change stays to be notified. */
export async function writePaymentNotified(database: Queryable, deal: Deal): Promise<void> {
  await dealTables(database)
    .updateTable('fx_deals')
    .set({
      notify_at: sql<string | null>`case when version = ${deal.version}::int then null else notify_at end`,
      lease_until: null,
    })
    .where(hasKey(deal))
    .execute()
}

type Tables = { fx_deal_history: TableOf<DealKey & DealEvent & { readonly dealId: string }> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Appends an event. */
export async function insertDealEvent(database: Queryable, deal: DealKey, dealEvent: DealEvent): Promise<void> {
  await tables(database)
    .insertInto('fx_deal_history')
    .values(rowOf({ ...dealEvent, partnerId: deal.partnerId, id: newId(), dealId: deal.id }))
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
