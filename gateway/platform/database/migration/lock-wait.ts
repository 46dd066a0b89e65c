/** Observes from another connection which lock a session waits for, and which sessions block it. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** A session that blocks another one; `state` and `seconds` of its transaction are null where our user may not see them. */
type Blocker = {
  readonly pid: number
  readonly program: string
  readonly userName: string | null
  readonly state: string | null
  readonly seconds: number | null
}

/** What a session waits for, as a noun with its article, and the sessions that have it. */
export type LockWait = { readonly awaited: string; readonly blockers: readonly Blocker[] }

/** Thrown by an attempt that did not get its locks in time; the attempt changed nothing. */
export class LockNotAcquired extends Error {
  readonly wait: LockWait
  constructor(wait: LockWait) {
    super(`Waited for ${describeLockWait(wait)}`)
    this.wait = wait
  }
}

const INTERVAL_MILLISECONDS = 250
/** Where the wait was over before it was observed. */
const UNKNOWN_WAIT: LockWait = { awaited: 'a lock', blockers: [] }

/** Observes the session until it is stopped, which returns the last wait. `onWait` gets each observed wait and its interval. */
export function watchLockWaits(
  observer: pg.Client,
  pid: number,
  onWait: (wait: LockWait, milliseconds: number) => Promise<void> = async () => undefined,
): { stop(): Promise<LockWait> } {
  const stopping = new AbortController()
  let last = UNKNOWN_WAIT
  const watch = async () => {
    while (await pause(INTERVAL_MILLISECONDS, true, { signal: stopping.signal }).catch(() => false)) {
      // Without an observer the migration runs all the same.
      const wait = await readLockWait(observer, pid).catch(() => null)
      if (wait !== null) {
        last = wait
        await onWait(wait, INTERVAL_MILLISECONDS)
      }
    }
  }
  const ended = watch()
  return {
    stop: async () => {
      stopping.abort()
      await ended
      return last
    },
  }
}

async function readLockWait(observer: pg.Client, pid: number): Promise<LockWait | null> {
  const { rows } = await observer.query<{ kind: string; table: string | null; pids: readonly number[] }>(
    `select locktype as kind, pg_blocking_pids(pid) as pids,
       coalesce(relation, (select relation from pg_locks where pid = $1 and locktype = 'tuple' limit 1))::regclass::text as table
     from pg_locks where pid = $1 and not granted`,
    [pid],
  )
  const [wait] = rows
  return wait === undefined
    ? null
    : { awaited: awaitedBy(wait.kind, wait.table), blockers: await readSessions(observer, wait.pids) }
}

function awaitedBy(kind: string, table: string | null): string {
  switch (kind) {
    case 'relation':
      return `the table ${table}`
    case 'virtualxid':
      return 'transactions that are older than its index'
    default:
      return table === null ? 'a row that another transaction changes' : `a row of the table ${table}`
  }
}

/** Describes sessions by their process ids, that with the oldest transaction first. */
export async function readSessions(observer: pg.Client, pids: readonly number[]): Promise<readonly Blocker[]> {
  const { rows } = await observer.query<Blocker>(
    `select b.pid, coalesce(nullif(a.application_name, ''), a.backend_type, 'unnamed program') as program,
       a.usename::text as "userName", a.state, extract(epoch from clock_timestamp() - a.xact_start)::float8 as seconds
     from (select distinct unnest($1::int[]) as pid) b left join pg_stat_activity a on a.pid = b.pid
     order by seconds desc nulls last, b.pid`,
    [pids],
  )
  return rows
}

export function describeLockWait({ awaited, blockers }: LockWait): string {
  return blockers.length === 0 ? awaited : `${awaited}, blocked by ${blockers.map(describeBlocker).join(', ')}`
}

function describeBlocker({ pid, program, userName, state, seconds }: Blocker): string {
  // PostgreSQL reports a prepared transaction, which has no session, as process 0.
  if (pid === 0) {
    return 'a prepared transaction (see pg_prepared_xacts)'
  }
  const known = seconds === null ? [] : [`transaction open for ${Math.round(seconds)} s`]
  const user = userName === null ? [] : [`user ${userName}`]
  return `pid ${pid} (${[program, ...user, state ?? 'state hidden: grant pg_read_all_stats', ...known].join(', ')})`
}
