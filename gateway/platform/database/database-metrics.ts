/** Sets the gauges of the database, of the connection pool, and of how far this process's clock is from PostgreSQL's. */
import type { Clock } from '../clock.ts'
import type { Metrics } from '../observability/metrics.ts'
import { resultInTime } from '../wait-until.ts'
import type { Database } from './database.ts'
import { DatabaseUnavailable, noAnswerWithin } from './database-unavailable.ts'

/** Of health checks: shorter than the time after which load balancers and Prometheus take one as failed. */
export const CHECK_MILLISECONDS = 2_000

type Measured = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly metrics: Metrics
}

/**
 * Reads the pool before the statements of the scrape itself use it, then both clocks. Returns whether the database
 * answered.
 */
export async function updateDatabaseMetrics(measured: Measured): Promise<boolean> {
  const { database, metrics } = measured
  const { pool } = database
  metrics.databaseConnections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
  metrics.databaseConnections.set({ state: 'idle' }, pool.idleCount)
  metrics.databaseConnectionsMax.set(pool.options.max)
  metrics.databaseConnectionsWaiting.set(pool.waitingCount)
  const isUp = await resultInTime(compareClocks(measured), CHECK_MILLISECONDS, noAnswerWithin).then(
    () => true,
    isUnavailable,
  )
  metrics.databaseUp.set(isUp ? 1 : 0)
  return isUp
}

async function compareClocks({ database: { pool }, clock, metrics }: Measured): Promise<void> {
  const before = clock.real().epochMilliseconds
  const { rows } = await pool.query<{ seconds: number }>(
    'select extract(epoch from clock_timestamp())::float8 as seconds',
  )
  const ours = (before + clock.real().epochMilliseconds) / 2_000
  metrics.clockDifference.set(ours - (rows[0]?.seconds ?? ours))
}

function isUnavailable(error: unknown): false {
  if (error instanceof DatabaseUnavailable) {
    return false
  }
  throw error
}
