/** The statements over rows that wait for a time: which is next, and claiming the due ones, a fair part of every share. */
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Sweep } from './sweep.ts'

/** Which rows wait: an index on `share` and `column` holds them, `lease_until` keeps other workers away. */
export type DueRows = Pick<Sweep, 'name' | 'time' | 'everyMilliseconds' | 'toleranceMilliseconds'> & {
  readonly table: string
  readonly column: string
  /** Longer than seeing to one row may take, in wall time. */
  readonly leaseSeconds: number
  /** A column by whose value rows share the places under way, so that a slow bank leaves places to the others. */
  readonly share: string
}

/** What identifies a row of a partner. */
export type RowKey = { readonly partnerId: string; readonly id: string }

/** A row that is leased now. */
export type ClaimedRow = RowKey & { readonly share: string }

/** How many rows to claim in all, of each share, and of those shares for which that differs. */
export type ClaimLimits = {
  readonly limit: number
  readonly perShare: number
  readonly byShare: ReadonlyMap<string, number>
}

type ClaimTimes = { readonly real: Temporal.Instant; readonly dueBefore: Temporal.Instant }
type Waiting = Pick<DueRows, 'table' | 'column' | 'share'>

/** When the next row falls due, be it by now or not; null when nothing waits. */
export async function earliestDue(database: Database<unknown>, rows: Waiting): Promise<Temporal.Instant | null> {
  const { rows: found } = await earliestDueStatement(rows).execute(database.query)
  return found[0]?.dueAt ?? null
}

/** Selects when the next row falls due. */
export function earliestDueStatement(rows: Waiting): RawBuilder<{ dueAt: Temporal.Instant | null }> {
  return sql`with recursive ${shares(rows)} select min(due) as "dueAt" from shares`
}

/** The shares that have rows which are due. */
export async function dueShares(
  database: Database<unknown>,
  rows: Waiting,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const { rows: found } = await sql<{ share: string }>`
    with recursive ${shares(rows)} select share from shares where due <= ${now.toString()}`.execute(database.query)
  return found.map(({ share }) => share)
}

/** What waits for a time ahead of now waits for now. */
export async function recallRows(
  { query }: Database<unknown>,
  { table, column }: Waiting,
  now: Temporal.Instant,
): Promise<void> {
  const [due, at] = [sql.ref(column), now.toString()]
  await sql`update ${sql.table(table)} set ${due} = ${at} where ${due} > ${at}`.execute(query)
}

/** Claims due rows: the oldest of each share, and first of the share whose oldest has waited longest. */
export async function claimRows(
  { database, clock }: { readonly database: Database<unknown>; readonly clock: Clock },
  rows: DueRows,
  limits: ClaimLimits,
): Promise<readonly ClaimedRow[]> {
  const real = clock.real()
  const times = { real, dueBefore: rows.time === 'business' ? clock.now() : real }
  return (await claimStatement(rows, times, limits).execute(database.query)).rows
}

/** Picks due rows and takes their leases; exported so that its plan can be looked at. */
export function claimStatement(
  rows: DueRows,
  { real, dueBefore }: ClaimTimes,
  { limit, perShare, byShare }: ClaimLimits,
): RawBuilder<ClaimedRow> {
  const leaseUntil = real.add({ seconds: rows.leaseSeconds }).toString()
  const [table, due, share] = [sql.table(rows.table), sql.ref(rows.column), sql.ref(rows.share)]
  return sql<ClaimedRow>`
    with recursive ${shares(rows)},
    open as materialized (
      select shares.share, coalesce(l.take, ${perShare}::int) as take from shares
      left join unnest(${[...byShare.keys()]}::text[], ${[...byShare.values()]}::int[]) as l(share, take) using (share)
      where due <= ${dueBefore.toString()} and coalesce(l.take, ${perShare}::int) > 0
      order by due),
    found as materialized (
      select oldest.* from open, lateral (
        select partner_id, id from ${table}
        where ${share} = open.share and ${due} <= ${dueBefore.toString()}
          and (lease_until is null or lease_until < ${real.toString()})
        order by ${due} limit open.take for update skip locked) oldest
      limit ${limit})
    update ${table} waiting set lease_until = ${leaseUntil}
    from found where waiting.partner_id = found.partner_id and waiting.id = found.id
    returning waiting.partner_id as "partnerId", waiting.id, waiting.${share} as share`
}

/** Every share with its oldest row: one step down the index for each, however many rows wait in it. */
function shares(rows: Waiting): RawBuilder<unknown> {
  const [table, due, share] = [sql.table(rows.table), sql.ref(rows.column), sql.ref(rows.share)]
  return sql`shares as (
    (select ${share} as share, ${due} as due from ${table} where ${due} is not null
      order by ${share}, ${due} limit 1)
    union all
    select next.* from shares, lateral (
      select ${share} as share, ${due} as due from ${table} where ${due} is not null and ${share} > shares.share
      order by ${share}, ${due} limit 1) next)`
}
