/** Queries on rows with a due time: finds the next due time and claims due rows, a fair share of every partition. */

import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { executePrepared } from '../database/in-transaction.ts'
import { hasFailedExpression } from './failed-row-store.ts'
import { isUnleased } from './lease.ts'
import { presentOf, type Sweep } from './sweep.ts'

/** Which rows wait: an index on `partition` and `column` covers them, `lease_until` excludes other workers. */
export type DueRowSource = Pick<Sweep, 'name' | 'time' | 'everyMilliseconds' | 'toleranceMilliseconds'> & {
  readonly table: string
  readonly column: string
  /** Longer than processing one row may take, in wall time; the lease of a process that ends is over sooner. */
  readonly leaseSeconds: number
  /** The column that partitions the in-flight limit, so that a slow bank leaves capacity to the others. */
  readonly partition: string
}

export type RowKey = { readonly partnerId: string; readonly id: string }

export type LeasedRow = RowKey & { readonly leaseUntil: Temporal.Instant }

/** A claimed row, which is leased, and whether it has failed since it was last processed. */
export type ClaimedRow = LeasedRow & { readonly partition: string; readonly hasFailed: boolean }

/** How many rows to claim in total, of each partition, and of those partitions with another limit. */
export type ClaimLimits = {
  readonly limit: number
  readonly perPartition: number
  readonly byPartition: ReadonlyMap<string, number>
}

/** How long the rows of a killed process remain leased: shorter leases are renewed while a process lives. */
export const RENEWED_LEASE_SECONDS = 20

type ClaimTimes = { readonly real: Temporal.Instant; readonly dueBefore: Temporal.Instant }
type Dependencies = { readonly database: Database<unknown>; readonly clock: Clock }
type Waiting = Pick<DueRowSource, 'table' | 'column' | 'partition'>

/** When the next row falls due, whether that has passed or not; null when nothing waits. */
export async function findEarliestDueTime(
  database: Database<unknown>,
  rows: Waiting,
): Promise<Temporal.Instant | null> {
  const { rows: found } = await executePrepared(database, earliestDueTimeQuery(rows))
  return found[0]?.dueAt ?? null
}

export function earliestDueTimeQuery(rows: Waiting): RawBuilder<{ dueAt: Temporal.Instant | null }> {
  return sql`with recursive ${partitions(rows)} select min(due) as "dueAt" from shares`
}

export async function listDuePartitions(
  database: Database<unknown>,
  rows: Waiting,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const statement = sql<{ partition: string }>`
    with recursive ${partitions(rows)} select partition from shares where due <= ${now.toString()}`
  const { rows: found } = await executePrepared(database, statement)
  return found.map(({ partition }) => partition)
}

/** Makes every row due now whose due time is in the future. */
export async function pullForwardFutureRows(
  { query }: Database<unknown>,
  { table, column }: Waiting,
  now: Temporal.Instant,
): Promise<void> {
  const [due, at] = [sql.ref(column), now.toString()]
  await sql`update ${sql.table(table)} set ${due} = ${at} where ${due} > ${at}`.execute(query)
}

/**
 * Claims due rows: the oldest of each partition, and first those of the partition whose oldest row has waited longest.
 */
export async function claimRows(
  { database, clock }: Dependencies,
  rows: DueRowSource,
  limits: ClaimLimits,
): Promise<readonly ClaimedRow[]> {
  return (await executePrepared(database, claimRowsQuery(rows, claimTimes(clock, rows), limits))).rows
}

/**
 * Whether a due row could be claimed but for a lock that another statement holds at this moment, such as that of an
 * inbound notification. `claimRows` skips such rows until its next round.
 */
export async function areClaimableRowsLocked(
  { database, clock }: Dependencies,
  rows: DueRowSource,
  limits: ClaimLimits,
): Promise<boolean> {
  const times = claimTimes(clock, rows)
  const statement = sql<{ id: string }>`
    with recursive ${claimableRows(rows, times, limits, sql``)} select id from found limit 1`
  const { rows: found } = await executePrepared(database, statement)
  return found.length > 0
}

function claimTimes(clock: Clock, rows: DueRowSource): ClaimTimes {
  return { real: clock.real(), dueBefore: presentOf(clock, rows) }
}

/** Selects due rows and leases them; exported for tests of its query plan. */
export function claimRowsQuery(rows: DueRowSource, times: ClaimTimes, limits: ClaimLimits): RawBuilder<ClaimedRow> {
  const leaseUntil = times.real.add({ seconds: Math.min(rows.leaseSeconds, RENEWED_LEASE_SECONDS) }).toString()
  return sql<ClaimedRow>`
    with recursive ${claimableRows(rows, times, limits, sql`for update skip locked`)}
    update ${sql.table(rows.table)} waiting set lease_until = ${leaseUntil}
    from found where waiting.partner_id = found.partner_id and waiting.id = found.id
    returning waiting.partner_id as "partnerId", waiting.id, waiting.${sql.ref(rows.partition)} as partition,
      waiting.lease_until as "leaseUntil", ${sql.raw(hasFailedExpression(rows.name, 'waiting'))} as "hasFailed"`
}

/** Makes a row that failed due later, unless processing has rescheduled it or another worker has leased it. */
export async function putBackRow(
  { database, clock }: Dependencies,
  rows: DueRowSource,
  { partnerId, id, leaseUntil }: LeasedRow,
  delay: { readonly seconds: number },
): Promise<void> {
  const due = sql.ref(rows.column)
  const now = presentOf(clock, rows)
  await sql`
    update ${sql.table(rows.table)} set ${due} = ${now.add(delay).toString()}, lease_until = null
    where partner_id = ${partnerId} and id = ${id} and ${due} <= ${now.toString()}
      and (lease_until is null or lease_until = ${leaseUntil.toString()})`.execute(database.query)
}

/** The due rows without a lease, up to the limits. */
function claimableRows(
  rows: DueRowSource,
  { real, dueBefore }: ClaimTimes,
  { limit, perPartition, byPartition }: ClaimLimits,
  lock: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [table, due, partition] = [sql.table(rows.table), sql.ref(rows.column), sql.ref(rows.partition)]
  return sql`${partitions(rows)},
    open as materialized (
      select shares.partition, coalesce(l.take, ${perPartition}::int) as take from shares
      left join unnest(${[...byPartition.keys()]}::text[], ${[...byPartition.values()]}::int[]) as l(partition, take) using (partition)
      where due <= ${dueBefore.toString()} and coalesce(l.take, ${perPartition}::int) > 0
      order by due),
    found as materialized (
      select oldest.* from open, lateral (
        select partner_id, id from ${table}
        where ${partition} = open.partition and ${due} <= ${dueBefore.toString()}
          and ${isUnleased(real)}
        order by ${due} limit open.take ${lock}) oldest
      limit ${limit})`
}

/** Every partition with its oldest row: one index step per partition, however many rows wait in it. */
function partitions(rows: Waiting): RawBuilder<unknown> {
  const [table, due, partition] = [sql.table(rows.table), sql.ref(rows.column), sql.ref(rows.partition)]
  return sql`shares as (
    (select ${partition} as partition, ${due} as due from ${table} where ${due} is not null
      order by ${partition}, ${due} limit 1)
    union all
    select next.* from shares, lateral (
      select ${partition} as partition, ${due} as due from ${table} where ${due} is not null and ${partition} > shares.partition
      order by ${partition}, ${due} limit 1) next)`
}
