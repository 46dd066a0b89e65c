/** Checks whether a pooler between us and the database moves sessions between its connections. */
import type pg from 'pg'
import { type Check, type DatabaseSession, type Finding, findingsOf } from '../check.ts'
import { closeSession } from './open-session.ts'

export const POOLER_CHECKS = {
  'pooler-transaction-mode': {
    level: 'error',
    finds: 'a pooler such as PgBouncer shares connections between transactions',
    see: 'operating.md#what-runs',
  },
} as const satisfies Readonly<Record<string, Check>>

/**
 * Two idle sessions that the server serves by one process share its connection: so does a pooler in transaction mode.
 * In session mode, and without a pooler, each has its own.
 */
export async function poolerFindings(pool: pg.Pool, open: () => Promise<DatabaseSession>): Promise<readonly Finding[]> {
  const second = await open()
  if (!('pool' in second)) {
    return []
  }
  try {
    const pids = [await processOf(pool), await processOf(second.pool)]
    return findingsOf('pooler-transaction-mode', pids[0] === pids[1], () => ({
      problem: 'Two sessions share one connection of the server: settings, listening and locks of a session are lost',
      where: 'DATABASE_URL',
      action: 'Set pool_mode = session for this database in pgbouncer.ini, or connect to PostgreSQL directly.',
    }))
  } finally {
    await closeSession(second)
  }
}

async function processOf(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
