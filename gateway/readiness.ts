/** Checks readiness: the database answers, and has the migrations that this release expects. */
import type { Context } from './context.ts'
import { readMigrations } from './platform/database/migrate.ts'

/** The folder of the migrations. */
export const MIGRATIONS = new URL('./migrations/', import.meta.url)

/**
 * Creates the check, which throws an error when the gateway is not ready. A newer schema is fine, because migrations
 * only add.
 */
export function readiness({ database }: Pick<Context, 'database'>): () => Promise<void> {
  const expected = readMigrations(MIGRATIONS)
  return async () => {
    const { length } = await expected
    const { rows } = await database.pool.query<{ applied: number }>('select count(*)::int as applied from migrations')
    const applied = rows[0]?.applied ?? 0
    if (applied < length) {
      throw new Error(`The database has ${applied} migrations, this release has ${length}: run havn migrate`)
    }
  }
}
