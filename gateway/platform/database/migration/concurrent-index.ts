/** Creates an index while its table is written to, and again after an attempt that was interrupted. */
import pg from 'pg'
import { describeLockWait, LockNotAcquired, readSessions, watchLockWaits } from './lock-wait.ts'
import type { ConcurrentIndex } from './migration-file.ts'
import { inLimitedTransaction, type MigrationSession } from './migration-session.ts'

/** What the catalogue has under the name; `builder` is the process that creates it now. */
type FoundIndex = { readonly table: string; readonly isValid: boolean; readonly builder: number | null }

const FIRST_REPORT_MILLISECONDS = 1_000

/** Does nothing where the index exists. Where it fails, the unfinished index is deleted if its table is free for that. */
export async function createIndexConcurrently(session: MigrationSession, index: ConcurrentIndex): Promise<void> {
  const found = await findIndex(session, index)
  if (found !== null && found.table !== index.table) {
    throw new Error(`The index ${index.name} exists, on the table ${found.table}`)
  }
  if (found?.isValid === true) {
    return
  }
  await dropUnfinished(session, index, found)
  try {
    await buildIndex(session, index)
  } catch (error) {
    await findIndex(session, index)
      .then((unfinished) => dropUnfinished(session, index, unfinished))
      .catch(() => session.reportWait(`The index ${index.name} remains unfinished; the next run creates it again`))
    throw error
  }
}

async function findIndex({ builder, schema }: MigrationSession, { name }: ConcurrentIndex): Promise<FoundIndex | null> {
  const { rows } = await builder.query<FoundIndex>(
    `select t.relname::text as table, i.indisvalid as "isValid",
       (select pid from pg_stat_progress_create_index where index_relid = i.indexrelid) as builder
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where c.relname = $1 and c.relnamespace = $2::regnamespace`,
    [name, pg.escapeIdentifier(schema)],
  )
  return rows[0] ?? null
}

/** The server may still create it for a run that was killed: that is waited for. */
async function dropUnfinished(
  session: MigrationSession,
  { name }: ConcurrentIndex,
  found: FoundIndex | null,
): Promise<void> {
  if (found === null || found.isValid) {
    return
  }
  if (found.builder !== null) {
    const blockers = await readSessions(session.observer, [found.builder])
    throw new LockNotAcquired({ awaited: `the index ${name}, which another session creates`, blockers })
  }
  await inLimitedTransaction(session, session.builder, () =>
    session.builder.query(`drop index ${pg.escapeIdentifier(name)}`),
  )
}

/**
 * It waits for transactions that are older, and nothing waits for it: it has no lock timeout, and is cancelled when the
 * run has waited long enough. The three statements are sent at once: with answers to come, a pooler in transaction
 * mode serves them by one connection of the server, and the settings hold for the second one.
 */
async function buildIndex(session: MigrationSession, { name, statement }: ConcurrentIndex): Promise<void> {
  const { builder, schema } = session
  const started = builder.query<{ pid: number }>(
    `select pg_backend_pid() as pid, set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
       set_config('search_path', $1, false)`,
    [pg.escapeIdentifier(schema)],
  )
  const built = builder.query(statement)
  const restored = builder.query('reset statement_timeout; reset lock_timeout; reset search_path')
  const watch = started.then(
    ({ rows }) => limitWait(session, name, rows[0]?.pid ?? 0),
    () => null,
  )
  const [result] = await Promise.allSettled([built, restored])
  const exceeded = await (await watch)?.stop()
  if (result.status === 'rejected') {
    throw exceeded ?? result.reason
  }
}

/** Reports what the creation waits for, and cancels it when it has waited long enough; `stop` returns the error for that. */
function limitWait(
  { observer, patience, reportWait }: MigrationSession,
  name: string,
  pid: number,
): { stop(): Promise<LockNotAcquired | null> } {
  let waited = 0
  let nextReport = FIRST_REPORT_MILLISECONDS
  let isCancelled = false
  const watch = watchLockWaits(observer, pid, async (wait, milliseconds) => {
    waited += milliseconds
    if (waited >= patience.leftMilliseconds) {
      isCancelled = true
      await cancelCreation(observer, pid)
    } else if (waited >= nextReport) {
      nextReport = waited * 2
      reportWait(`The index ${name} waits for ${describeLockWait(wait)}; requests do not wait for it`)
    }
  })
  return {
    stop: async () => {
      const last = await watch.stop()
      if (!isCancelled) {
        return null
      }
      patience.leftMilliseconds = 0
      return new LockNotAcquired(last)
    },
  }
}

/** Through a pooler the process may meanwhile execute another statement. */
async function cancelCreation(observer: pg.Client, pid: number): Promise<void> {
  await observer
    .query(
      "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and query ilike '%index concurrently%'",
      [pid],
    )
    .catch(() => undefined)
}
