/** Queries on the processes that run. */
import { sql } from 'kysely'
import type { Queryable } from '../database/in-transaction.ts'
import { timestamp } from '../database/sql-fragments.ts'

/** A process of this installation; times are wall time. */
export type ProcessRow = {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly startedAt: Temporal.Instant
  readonly seenAt: Temporal.Instant
  /** E.g. `1.2.0`; null for releases that did not record it. */
  readonly release: string | null
}

/** Inserts or refreshes the row of a process, and deletes those of processes that were last seen before a time. */
export async function recordProcess(
  { query }: Queryable,
  { id, role, host, pid, startedAt, seenAt, release }: ProcessRow,
  deletedBefore: Temporal.Instant,
): Promise<void> {
  await sql`
    with ended as (delete from running_processes where seen_at < ${timestamp(deletedBefore)})
    insert into running_processes (id, role, host, pid, started_at, seen_at, release)
    values (${id}, ${role}, ${host}, ${pid}, ${timestamp(startedAt)}, ${timestamp(seenAt)}, ${release})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(query)
}

export async function deleteProcess({ query }: Queryable, id: string): Promise<void> {
  await sql`delete from running_processes where id = ${id}`.execute(query)
}

/**
 * Those seen since a time, the longest running first. The column `release` may be missing: `havn doctor
 * --before-upgrade` reads the table as the release before left it.
 */
export async function listProcesses({ query }: Queryable, since: Temporal.Instant): Promise<readonly ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, role, host, pid, started_at as "startedAt", seen_at as "seenAt", to_jsonb(p) ->> 'release' as release
    from running_processes p where seen_at >= ${timestamp(since)} order by role, started_at, id`.execute(query)
  return rows
}
