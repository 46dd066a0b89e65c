/** Records which processes run, for operators: each repeats while it lives that it does. */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import program from '../../../package.json' with { type: 'json' }
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Queryable } from '../database/in-transaction.ts'
import { timestamp } from '../database/sql-fragments.ts'
import { newId } from '../ids.ts'
import type { Log } from '../observability/log.ts'

type Dependencies = { readonly database: Database<unknown>; readonly clock: Clock }

const EVERY_SECONDS = 15
/** A process that was not seen for longer has ended, or has lost the database. */
export const ALIVE_SECONDS = 60
/** For how long one that ended without saying so is listed. */
const LISTED_HOURS = 24

/** A process of this installation; times are wall time. */
type ProcessRow = {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly startedAt: Temporal.Instant
  readonly seenAt: Temporal.Instant
  /** E.g. `1.2.0`; null for releases that did not record it. */
  readonly release: string | null
}

/** A process, and whether it was seen lately. */
export type RunningProcess = ProcessRow & { readonly isAlive: boolean }

/** Records a process until it is stopped, which removes it from the list. */
export async function recordRunningProcess(
  { database, clock, log }: Dependencies & { readonly log: Log },
  role: string,
): Promise<{ stop(): Promise<void> }> {
  const known = {
    id: newId(),
    role,
    host: hostname(),
    pid: process.pid,
    startedAt: clock.real(),
    release: program.version,
  }
  const record = async () => {
    const seenAt = clock.real()
    try {
      await recordProcess(database, { ...known, seenAt }, seenAt.subtract({ hours: LISTED_HOURS }))
    } catch (error) {
      log.debug({ error }, 'a running process could not be recorded')
    }
  }
  await record()
  const timer = setInterval(() => void record(), EVERY_SECONDS * 1_000).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await sql`delete from running_processes where id = ${known.id}`.execute(database.query).catch(() => undefined)
    },
  }
}

/** The processes of the last day. */
export async function listRunningProcesses({ database, clock }: Dependencies): Promise<readonly RunningProcess[]> {
  const real = clock.real()
  const rows = await listProcesses(database, real.subtract({ hours: LISTED_HOURS }))
  return rows.map((row) => ({ ...row, isAlive: real.since(row.seenAt).total('seconds') <= ALIVE_SECONDS }))
}

/** Inserts or refreshes the row of a process, and deletes those of processes that were last seen before a time. */
async function recordProcess(
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

/**
 * Those seen since a time, the longest running first. The column `release` may be missing: `havn doctor
 * --before-upgrade` reads the table as the release before left it.
 */
async function listProcesses({ query }: Queryable, since: Temporal.Instant): Promise<readonly ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, role, host, pid, started_at as "startedAt", seen_at as "seenAt", to_jsonb(p) ->> 'release' as release
    from running_processes p where seen_at >= ${timestamp(since)} order by role, started_at, id`.execute(query)
  return rows
}
