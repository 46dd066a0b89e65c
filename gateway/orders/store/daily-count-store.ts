/** Queries on the daily counts of payments, and on up to when they are counted. */
import { type RawBuilder, sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { REPORTING_TIME_ZONE, startOfReportingDay } from '../../countries/bank-days.ts'
import { PARTNERS, partnerListFilter } from '../../partners/partner-rows.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'

/** The payments of a day with one currency and status, of one partner or of all. */
export type DailyCount = {
  readonly day: string
  readonly currency: string
  readonly status: PaymentStatusValue
  readonly signed: boolean
  readonly count: number
  readonly amountMinor: bigint
}

/** The last day is included. */
export type CountedPeriod = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** Exported for the test of its plan. */
export function dailyCountsQuery(partnerId: string | null, { from, to }: CountedPeriod): RawBuilder<DailyCount> {
  return sql<DailyCount>`
    select c.day::text as day, c.currency, c.status, c.signed, sum(c.count)::int as count,
      sum(c.amount_minor)::bigint as "amountMinor"
    from ${PARTNERS}, lateral (
      select * from payment_daily_counts
      where partner_id = o.id and day >= ${from.toString()}::date and day <= ${to.toString()}::date) c
    where ${partnerListFilter(partnerId)}
    group by c.day, c.currency, c.status, c.signed
    order by c.day, c.currency, c.status, c.signed`
}

/** The business time up to which the payments of all these partners are counted; null if some never were. */
export async function findCountedTo(database: Queryable, partnerId: string | null): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ countedTo: Temporal.Instant | null }>`
    select case when bool_and(c.counted_to is not null) then min(c.counted_to) end as "countedTo"
    from ${PARTNERS} left join payment_count_positions c on c.partner_id = o.id
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]?.countedTo ?? null
}

/** Partners whose payments were never counted are due at once. */
export async function insertMissingPositions(database: Queryable, dueAt: Temporal.Instant): Promise<void> {
  const statement = sql`
    insert into payment_count_positions (partner_id, due_at)
    select id, ${timestamp(dueAt)} from ${PARTNERS}
    where not exists (select from payment_count_positions where partner_id = o.id)
    on conflict (partner_id) do nothing`
  await executePrepared(database, statement)
}

export async function findNextCountTime({ query }: Queryable): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ dueAt: Temporal.Instant | null }>`
    select min(due_at) as "dueAt" from payment_count_positions`.execute(query)
  return rows[0]?.dueAt ?? null
}

export async function listDuePartners(
  database: Queryable,
  real: Temporal.Instant,
  limit: number,
): Promise<readonly string[]> {
  const statement = sql<{ partnerId: string }>`
    select partner_id as "partnerId" from payment_count_positions where due_at <= ${timestamp(real)}
    order by due_at limit ${limit}`
  const { rows } = await executePrepared(database, statement)
  return rows.map(({ partnerId }) => partnerId)
}

export type CountPosition = { readonly countedTo: Temporal.Instant | null; readonly recountedOn: string | null }

/** Locks the position of a partner until the transaction ends; undefined when it is not due or another worker counts. */
export async function lockDuePosition(
  transaction: Queryable,
  partnerId: string,
  real: Temporal.Instant,
): Promise<CountPosition | undefined> {
  const { rows } = await sql<CountPosition>`
    select counted_to as "countedTo", recounted_on::text as "recountedOn" from payment_count_positions
    where partner_id = ${partnerId} and due_at <= ${timestamp(real)} for update skip locked`.execute(transaction.query)
  return rows[0]
}

export async function writePosition(
  transaction: Queryable,
  partnerId: string,
  next: {
    readonly countedTo: Temporal.Instant
    readonly recountedOn: Temporal.PlainDate
    readonly dueAt: Temporal.Instant
  },
): Promise<void> {
  await sql`
    update payment_count_positions set counted_to = ${timestamp(next.countedTo)},
      recounted_on = ${next.recountedOn.toString()}::date, due_at = ${timestamp(next.dueAt)}
    where partner_id = ${partnerId}`.execute(transaction.query)
}

/** Sets when the payments of a partner are counted next. */
export async function postponeCount({ query }: Queryable, partnerId: string, dueAt: Temporal.Instant): Promise<void> {
  await sql`update payment_count_positions set due_at = ${timestamp(dueAt)} where partner_id = ${partnerId}`.execute(
    query,
  )
}

/** The days on which payments were created that have changed since. Exported for the test of its plan. */
export function changedDaysQuery(partnerId: string, since: Temporal.Instant): RawBuilder<{ day: string }> {
  return sql<{ day: string }>`
    select distinct (created_at at time zone ${sql.lit(REPORTING_TIME_ZONE)})::date::text as day from payments
    where partner_id = ${partnerId} and changed_at >= ${timestamp(since)} and payroll_id is null`
}

/** The days that have payments or counts; most days of a small partner have neither. Exported for the test of its plan. */
export function nonEmptyDaysQuery(partnerId: string, { from, to }: CountedPeriod): RawBuilder<{ day: string }> {
  return sql<{ day: string }>`
    select d::date::text as day
    from generate_series(${from.toString()}::timestamp, ${to.toString()}::timestamp, interval '1 day') d
    where exists (select from payments
        where partner_id = ${partnerId} and created_at >= d at time zone ${sql.lit(REPORTING_TIME_ZONE)}
          and created_at < (d + interval '1 day') at time zone ${sql.lit(REPORTING_TIME_ZONE)})
      or exists (select from payment_daily_counts where partner_id = ${partnerId} and day = d::date)`
}

/** Replaces the counts of a day. Must run under the lock of the partner's position. */
export async function replaceCounts(transaction: Queryable, partnerId: string, day: Temporal.PlainDate): Promise<void> {
  await sql`
    delete from payment_daily_counts where partner_id = ${partnerId} and day = ${day.toString()}::date`.execute(
    transaction.query,
  )
  await insertCountsQuery(partnerId, day).execute(transaction.query)
}

/** Exported for the test of its plan. */
export function insertCountsQuery(partnerId: string, day: Temporal.PlainDate): RawBuilder<unknown> {
  const [start, end] = [startOfReportingDay(day), startOfReportingDay(day.add({ days: 1 }))]
  return sql`
    insert into payment_daily_counts (partner_id, day, currency, status, signed, count, amount_minor)
    select partner_id, ${day.toString()}::date, currency, status, signed, count(*), sum(amount_minor) from payments
    where partner_id = ${partnerId} and created_at >= ${timestamp(start)} and created_at < ${timestamp(end)}
      and payroll_id is null
    group by partner_id, currency, status, signed`
}

export async function deleteCountsBefore(
  { query }: Queryable,
  partnerId: string,
  day: Temporal.PlainDate,
): Promise<void> {
  await sql`
    delete from payment_daily_counts where partner_id = ${partnerId} and day < ${day.toString()}::date`.execute(query)
}

/** The days of all partners are counted again. */
export async function resetCounts({ query }: Queryable): Promise<void> {
  await sql`delete from payment_daily_counts`.execute(query)
  await sql`delete from payment_count_positions`.execute(query)
}
