/** Checks readiness: the database answers, and has the migrations that this release expects. */
import type { Context } from './context.ts'
import { readMigrations } from './platform/database/migration/migration-file.ts'

/** The folder of the migrations. */
export const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** What readiness depends on; `draining` is aborted when the program received SIGTERM. */
type ReadinessContext = Pick<Context, 'database'> & { readonly draining: AbortController }

/**
 * Creates the check, which throws an error when the gateway is not ready. A newer schema is fine, because migrations
 * only add.
 */
export function readiness({ database, draining }: ReadinessContext): () => Promise<void> {
  const expected = readMigrations(MIGRATIONS)
  return async () => {
    if (draining.signal.aborted) {
      throw new Error('The program is stopping')
    }
    const { length } = await expected
    const { rows } = await database.pool.query<{ applied: number }>('select count(*)::int as applied from migrations')
    const applied = rows[0]?.applied ?? 0
    if (applied < length) {
      throw new Error(`The database has ${applied} migrations, this release has ${length}: run havn migrate`)
    }
  }
}
