/** Queries on the processes that run. */
import { sql } from 'kysely'
import type { Queryable } from '../database/in-transaction.ts'
import { timestamp } from '../database/timestamp.ts'

/** A process of this installation; times are wall time. */
export type ProcessRow = {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly startedAt: Temporal.Instant
  readonly seenAt: Temporal.Instant
}

/** Inserts or refreshes the row of a process, and deletes those of processes that were last seen before a time. */
export async function recordProcess(
  { query }: Queryable,
  { id, role, host, pid, startedAt, seenAt }: ProcessRow,
  deletedBefore: Temporal.Instant,
): Promise<void> {
  await sql`
    with ended as (delete from running_processes where seen_at < ${timestamp(deletedBefore)})
    insert into running_processes (id, role, host, pid, started_at, seen_at)
    values (${id}, ${role}, ${host}, ${pid}, ${timestamp(startedAt)}, ${timestamp(seenAt)})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(query)
}

export async function deleteProcess({ query }: Queryable, id: string): Promise<void> {
  await sql`delete from running_processes where id = ${id}`.execute(query)
}

/** Those seen since a time, the longest running first. */
export async function listProcesses({ query }: Queryable, since: Temporal.Instant): Promise<readonly ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, role, host, pid, started_at as "startedAt", seen_at as "seenAt" from running_processes
    where seen_at >= ${timestamp(since)} order by role, started_at, id`.execute(query)
  return rows
}
