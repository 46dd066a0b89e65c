/** Queries on how many booked entries accounts had on each day when they were last read. */
import { sql } from 'kysely'
import { executePrepared, type Queryable } from '../platform/database/in-transaction.ts'
import type { BatchRange } from '../platform/jobs/batch-purge.ts'

/** How many booked entries an account has on a day. */
export type DayCount = { readonly day: Temporal.PlainDate; readonly entries: number }

/** Records the counts, and returns by how many entries each has grown; days without new entries are missing. */
export async function recordEntryCounts(
  { query }: Queryable,
  { partnerId, accountId }: { readonly partnerId: string; readonly accountId: string },
  counts: readonly DayCount[],
): Promise<readonly DayCount[]> {
  const days = counts.map(({ day }) => day.toString())
  const { rows } = await sql<{ day: string; entries: number }>`
    with read as (
      select * from unnest(${days}::date[], ${counts.map(({ entries }) => entries)}::int[]) as r(day, entries)),
    before as (
      select booked_on, entries from account_entry_counts
      where partner_id = ${partnerId} and account_id = ${accountId} and booked_on = any(${days}::date[])),
    written as (
      insert into account_entry_counts as c (partner_id, account_id, booked_on, entries)
      select ${partnerId}, ${accountId}, day, entries from read order by day
      on conflict (partner_id, account_id, booked_on) do update set entries = excluded.entries
        where c.entries < excluded.entries)
    select r.day::text as day, r.entries - coalesce(b.entries, 0) as entries
    from read r left join before b on b.booked_on = r.day
    where r.entries > coalesce(b.entries, 0) order by r.day`.execute(query)
  return rows.map(({ day, entries }) => ({ day: Temporal.PlainDate.from(day), entries }))
}

/** Deletes some of the counts of days before this one; returns how many. */
export async function purgeEntryCounts(
  database: Queryable,
  before: Temporal.PlainDate,
  { limit, offset }: BatchRange,
): Promise<number> {
  const statement = sql`
    delete from account_entry_counts where (partner_id, account_id, booked_on) in (
      select partner_id, account_id, booked_on from account_entry_counts
      where booked_on < ${before.toString()}::date order by booked_on, partner_id, account_id
      limit ${limit} offset ${offset} for update skip locked)`
  const { numAffectedRows } = await executePrepared(database, statement)
  return Number(numAffectedRows ?? 0n)
}
