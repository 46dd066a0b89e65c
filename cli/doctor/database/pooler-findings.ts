/** Checks what a pooler between us and the database needs: sessions there do not last, or are not recognised as lasting. */
import type pg from 'pg'
import type { Config } from '../../../gateway/config/config.ts'
import { isPooled, SESSION_SETTINGS } from '../../../gateway/platform/database/pool-mode.ts'
import { checksOf, type DatabaseSession, type Finding, findingsOf } from '../check.ts'
import { closeSession } from './open-session.ts'

const { error, note, warning } = checksOf('operating/pgbouncer.md')
const SETTING = 'HAVN_DATABASE_POOL_MODE'
const PREPARED = 'havn-doctor'

export const POOLER_CHECKS = {
  'pooler-transaction-mode': error(
    `${SETTING} is \`session\`, and a pooler such as PgBouncer shares connections between transactions`,
  ),
  'pooler-prepared-statements': error(
    `${SETTING} is \`transaction-prepared\`, and the pooler does not prepare statements again`,
  ),
  'pooler-session-settings': warning(
    'connections through a pooler in transaction mode have no limit of statements, or plan sequential scans',
  ),
  'pooler-session-mode': note('a pooler keeps sessions, and statements are planned at each execution all the same'),
  'pooler-notifications': note('workers poll due rows ten times a second, because a pooler forwards no notifications'),
}

/** What the checks know of the pooler. */
type Pooler = Pick<Config, 'databasePoolMode' | 'databaseListenUrl'> & {
  /** Two idle sessions that the server serves by one process share its connection. */
  readonly sharesConnections: boolean
  readonly isPreparing: boolean
  /** Settings of a session that differ from what ours need, e.g. `statement_timeout = 0`. */
  readonly differing: readonly string[]
}

/** Whether a pooler answers in place of the server. */
export async function isPooledServer(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    return await isPooled(client)
  } finally {
    client.release()
  }
}

/** None without a pooler. */
export async function poolerFindings(
  pool: pg.Pool,
  open: () => Promise<DatabaseSession>,
  config: Pick<Config, 'databasePoolMode' | 'databaseListenUrl'>,
): Promise<readonly Finding[]> {
  const second = (await isPooledServer(pool)) ? await open() : undefined
  if (second === undefined || !('pool' in second)) {
    return []
  }
  try {
    const pids = [await processOf(pool), await processOf(second.pool)]
    const isPreparing = config.databasePoolMode !== 'transaction-prepared' || (await prepares([pool, second.pool]))
    return findingsOfPooler({
      ...config,
      isPreparing,
      sharesConnections: pids[0] === pids[1],
      differing: await differingSettings(pool),
    })
  } finally {
    await closeSession(second)
  }
}

/** What these facts mean. */
export function findingsOfPooler(pooler: Pooler): readonly Finding[] {
  const { databasePoolMode: mode, databaseListenUrl, sharesConnections, isPreparing, differing } = pooler
  const isSession = mode === 'session'
  return [
    ...findingsOf('pooler-transaction-mode', isSession && sharesConnections, () => ({
      problem:
        'Two sessions share one connection of the server: settings, statements and listening of a session are lost',
      where: SETTING,
      action: `Remove ${SETTING}, or set pool_mode = session for this database in pgbouncer.ini.`,
    })),
    ...findingsOf('pooler-prepared-statements', !isPreparing, () => ({
      problem: 'A statement that one session prepared fails in another one',
      where: SETTING,
      action: `Set max_prepared_statements = 200 in pgbouncer.ini (1.21 or newer), or remove ${SETTING}.`,
    })),
    ...findingsOf('pooler-session-settings', !isSession && differing.length > 0, () => ({
      problem: `Connections through the pooler have ${differing.join(', ')}`,
      where: 'DATABASE_URL',
      action: 'Run havn migrate, which stores the settings with the user; then RECONNECT in the console of PgBouncer.',
    })),
    ...findingsOf('pooler-session-mode', mode === 'detect' && !sharesConnections, () => ({
      problem: 'The pooler keeps sessions, but its mode is not set: prepared statements and notifications are not used',
      where: SETTING,
      action: `Set ${SETTING}=session, or pool_mode = transaction in pgbouncer.ini.`,
    })),
    ...findingsOf('pooler-notifications', !isSession && sharesConnections && databaseListenUrl === null, () => ({
      problem: 'The pooler forwards no notifications: workers poll due rows ten times a second',
      where: 'HAVN_DATABASE_LISTEN_URL',
      action: 'Set it to the URL of PostgreSQL itself, e.g. postgres://db.internal/havn; each worker listens there.',
    })),
  ]
}

async function processOf(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

/** A pooler that does not keep track sends the second session to a connection that has the statement of the first. */
async function prepares(pools: readonly pg.Pool[]): Promise<boolean> {
  try {
    for (const pool of pools) {
      await pool.query({ name: PREPARED, text: 'select 1' })
    }
    return true
  } catch {
    return false
  }
}

async function differingSettings(pool: pg.Pool): Promise<readonly string[]> {
  const expected = Object.entries(SESSION_SETTINGS)
  const columns = expected.map(([name]) => `current_setting('${name}') as ${name}`)
  const { rows } = await pool.query<Record<string, string>>(`select ${columns.join(', ')}`)
  return expected.flatMap(([name, value]) => (rows[0]?.[name] === value ? [] : [`${name} = ${rows[0]?.[name]}`]))
}
