/** Checks readiness: the process may get requests, because it is not stopping and the database has its migrations. */
import type { Context } from './context.ts'
import { CHECK_MILLISECONDS } from './platform/database/database-metrics.ts'
import { DatabaseUnavailable, noAnswerWithin } from './platform/database/database-unavailable.ts'
import { readMigrations } from './platform/database/migration/migration-file.ts'
import { resultInTime } from './platform/wait-until.ts'

/** The folder of the migrations. */
export const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** What a process that is ready says of the database. */
export type DatabaseState = 'available' | 'unavailable'

/**
 * Creates the check, which throws an error when the process is not ready. One that is running stays ready while the
 * database is away: all are without it then, and a load balancer that takes all of them out answers by itself, with a
 * page that no partner's program understands.
 */
export function readiness(context: Context): () => Promise<DatabaseState> {
  let asking: Promise<void> | undefined
  return async () => {
    if (context.draining.signal.aborted) {
      throw new Error('The program is stopping')
    }
    asking ??= requireMigrations(context).finally(() => {
      asking = undefined
    })
    try {
      await resultInTime(asking, CHECK_MILLISECONDS, noAnswerWithin)
      return 'available'
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        return 'unavailable'
      }
      throw error
    }
  }
}

/** Throws when the database lacks a migration that this release expects. A newer schema is fine: migrations only add. */
export async function requireMigrations({ database }: Context): Promise<void> {
  const { length } = await readMigrations(MIGRATIONS)
  const { rows } = await database.pool.query<{ applied: number }>('select count(*)::int as applied from migrations')
  const applied = rows[0]?.applied ?? 0
  if (applied < length) {
    throw new Error(`The database has ${applied} migrations, this release has ${length}: run havn migrate`)
  }
}
