/** Queries for the overview. Each reads at most a number of index entries, however much is stored. */

import { type RawBuilder, sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { EVENT_TYPES } from '../../contract/webhooks/event-types.ts'
import { standsForItsIncident } from '../../gateway/operators/incident-condition.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter, timestamp } from '../../gateway/platform/database/sql-fragments.ts'
import { lowestIdAt } from '../../gateway/platform/ids.ts'

/** Counting stops here; the overview shows "1 000 or more". */
export const COUNTED_MAX = 1_000

/** How many payments have a status, at most `COUNTED_MAX` of each partner. Completed ones are not counted. */
export async function countPayments(
  database: Queryable,
  partnerId: string | null,
  status: Exclude<PaymentStatusValue, 'Completed'>,
): Promise<number> {
  // The literal shows PostgreSQL that the partial index of statuses applies.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from partners o, lateral (
      select 1 from payments
      where partner_id = o.id and status = ${sql.lit(status)} and status <> 'Completed' and payroll_id is null
      limit ${COUNTED_MAX}) p
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]?.count ?? 0
}

/** What waits, at most `COUNTED_MAX` of each partner, and the first time at which something is due; null for nothing. */
export type Waiting = { readonly count: number; readonly first: Temporal.Instant | null }

const NOTHING: Waiting = { count: 0, first: null }

/** Approvals of payments that their users have not finished, and since when the oldest of them is. */
export async function countStartedApprovals(database: Queryable, partnerId: string | null): Promise<Waiting> {
  return (await startedApprovalsQuery(partnerId).execute(database.query)).rows[0] ?? NOTHING
}

/** Approvals of salaries are left out, as in the list. This and the queries below are exported for tests of plans. */
export function startedApprovalsQuery(partnerId: string | null): RawBuilder<Waiting> {
  return sql<Waiting>`
    select count(*)::int as count, min(a.created_at) as first from partners o, lateral (
      select created_at from approvals
      where partner_id = o.id and status = 'STARTED' and not exists (
        select from approval_payments s join payments p on p.partner_id = s.partner_id and p.id = s.payment_id
        where s.partner_id = approvals.partner_id and s.approval_id = approvals.id and p.payroll_id is not null)
      order by created_at, id limit ${COUNTED_MAX}) a
    where ${partnerListFilter(partnerId)}`
}

/** Exchanges whose users must still sign, and until when the first of them must. */
export async function countDeadlinesAhead(
  database: Queryable,
  partnerId: string | null,
  now: Temporal.Instant,
): Promise<Waiting> {
  return (await deadlinesAheadQuery(partnerId, now).execute(database.query)).rows[0] ?? NOTHING
}

export function deadlinesAheadQuery(partnerId: string | null, now: Temporal.Instant): RawBuilder<Waiting> {
  return sql<Waiting>`
    select count(*)::int as count, min(d.deadline) as first from partners o, lateral (
      select deadline from fx_deals where partner_id = o.id and state = 'booked' and deadline > ${timestamp(now)}
      order by deadline limit ${COUNTED_MAX}) d
    where ${partnerListFilter(partnerId)}`
}

/** Recent deliveries of the partner's subscriptions: how many ended how, and since when the oldest undelivered waits. */
export type DeliveryFigures = {
  readonly delivered: number
  readonly failed: number
  readonly waiting: number
  readonly oldestWaiting: Temporal.Instant | null
}

/** Of each subscription and type of event, as many deliveries as this are taken for recent. */
const RECENT_DELIVERIES = 100

export async function countDeliveries(
  database: Queryable,
  partnerId: string | null,
  since: Temporal.Instant,
): Promise<DeliveryFigures> {
  const { rows } = await deliveryFiguresQuery(partnerId, since).execute(database.query)
  return rows[0] ?? { delivered: 0, failed: 0, waiting: 0, oldestWaiting: null }
}

/**
 * Failures are counted since the oldest of the recent deliveries, or since the given wall time. Rows are compared, not
 * columns, and ordered by all columns of the log's index: no other index serves that.
 */
export function deliveryFiguresQuery(partnerId: string | null, since: Temporal.Instant): RawBuilder<DeliveryFigures> {
  const first = sql`${lowestIdAt(since)}::uuid`
  const range = (status: RawBuilder<unknown>, from: RawBuilder<unknown>) => sql`
    webhook_deliveries d where d.partner_id = s.partner_id and d.subscription_id = s.id
      and (d.event_type, d.status, d.id) >= (t.type, ${status}, ${from})
      and (d.event_type, d.status, d.id) <= (t.type, ${status}, ${LAST_ID}::uuid)`
  const newest = sql`order by d.event_type desc, d.status desc, d.id desc`
  return sql<DeliveryFigures>`
    select coalesce(sum(ok.count), 0)::int as delivered, coalesce(sum(bad.count), 0)::int as failed,
      coalesce(sum(wait.count), 0)::int as waiting, min(wait.oldest) as "oldestWaiting"
    from partners o join webhook_subscriptions s on s.partner_id = o.id,
      unnest(${EVENT_TYPES}::text[]) t(type),
      lateral (
        select count(*) as count, coalesce(min(id::text), ${lowestIdAt(since)})::uuid as first from (
          select d.id from ${range(sql`'Delivered'`, first)} ${newest} limit ${RECENT_DELIVERIES}) recent) ok,
      lateral (
        select count(*) as count from unnest(array['Failed', 'Refused']) f(status), lateral (
          select from ${range(sql`f.status`, sql`case when ok.count < ${RECENT_DELIVERIES} then ${first} else ok.first end`)}
          ${newest} limit ${RECENT_DELIVERIES}) ended) bad,
      lateral (
        select count(*) as count, min(created_at) as oldest from (
          select d.created_at from ${range(sql`'Queued'`, sql`${FIRST_ID}::uuid`)}
          order by d.event_type, d.status, d.id limit ${RECENT_DELIVERIES}) queued) wait
    where ${partnerListFilter(partnerId)}`
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Open operator tasks, an incident as one, and since when the oldest waits. */
export async function countOpenTasks(database: Queryable): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select count(*)::int as count, min(created_at) as first from operator_tasks t
    where status <> 'resolved' and ${standsForItsIncident()}`.execute(database.query)
  return rows[0] ?? NOTHING
}
