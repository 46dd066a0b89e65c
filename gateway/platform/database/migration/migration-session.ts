/** The connections of a migration run, and transactions in them that wait for locks for a short time only. */
import pg from 'pg'
import { connectionOptions } from '../connection-errors.ts'
import { isLockError } from '../database-unavailable.ts'
import { LockNotAcquired, readSessions, watchLockWaits } from './lock-wait.ts'

export type MigrationSession = {
  /** For transactions. */
  readonly client: pg.Client
  /** For what runs while `client` has a transaction open; submits statements without waiting for the former one. */
  readonly builder: pg.Client
  /** Sees who blocks the other two. */
  readonly observer: pg.Client
  readonly schema: string
  readonly lockTimeoutMilliseconds: number
  /** Between the first two attempts. */
  readonly pauseMilliseconds: number
  /** How long this run may still wait for locks. */
  readonly patience: { leftMilliseconds: number }
  readonly reportWait: (line: string) => void
}

/** An arbitrary number that no other program uses as an advisory lock in the same database. */
export const MIGRATION_LOCK = 4_826_101

/** Opens the connections, and closes them after the run. */
export async function withMigrationSession<Result>(
  connectionString: string,
  settings: Omit<MigrationSession, 'client' | 'builder' | 'observer'>,
  run: (session: MigrationSession) => Promise<Result>,
): Promise<Result> {
  const open = async (pipeline: boolean, work: (client: pg.Client) => Promise<Result>) =>
    await withConnection(connectionString, work, { pipeline })
  return await open(false, (client) =>
    open(true, (builder) => open(true, (observer) => run({ ...settings, client, builder, observer }))),
  )
}

/** Opens one connection, and closes it after the work. */
export async function withConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
  options: { readonly pipeline?: boolean } = {},
): Promise<Result> {
  const known = { connectionString, application_name: 'havn migrate' }
  const client = new pg.Client({ ...known, ...options, ...connectionOptions() })
  // Its statements fail as well; without a listener the error would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A transaction that no other migration run has at the same time. Another one is tried for, not waited for: see decision 0125. */
export async function underMigrationLock<Result>(
  session: MigrationSession,
  execute: () => Promise<Result>,
): Promise<Result> {
  return await inLimitedTransaction(session, session.client, async () => {
    const { rows } = await session.client.query<{ isLocked: boolean }>(
      'select pg_try_advisory_xact_lock($1) as "isLocked"',
      [MIGRATION_LOCK],
    )
    if (rows[0]?.isLocked !== true) {
      throw new LockNotAcquired({ awaited: 'another havn migrate', blockers: await readLockHolders(session.observer) })
    }
    return await execute()
  })
}

/**
 * Lock and settings end with the transaction, so that a pooler in transaction mode serves them as well. A migration may
 * take long on a large table, but not wait: the requests behind it would wait, too.
 */
export async function inLimitedTransaction<Result>(
  { observer, schema, lockTimeoutMilliseconds }: MigrationSession,
  client: pg.Client,
  execute: () => Promise<Result>,
): Promise<Result> {
  await client.query(
    // A snapshot that lasts as long as the transaction would make the creation of an index wait for it.
    `begin isolation level read committed; set local statement_timeout = 0;
     set local lock_timeout = ${lockTimeoutMilliseconds}; set local idle_in_transaction_session_timeout = 0;
     set local search_path to ${pg.escapeIdentifier(schema)}`,
  )
  const watch = watchLockWaits(observer, await readPid(client))
  try {
    const result = await execute()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw isLockError(error) ? new LockNotAcquired(await watch.stop()) : error
  } finally {
    await watch.stop()
  }
}

async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

async function readLockHolders(observer: pg.Client): ReturnType<typeof readSessions> {
  const { rows } = await observer.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [MIGRATION_LOCK],
  )
  return await readSessions(
    observer,
    rows.map(({ pid }) => pid),
  )
}
