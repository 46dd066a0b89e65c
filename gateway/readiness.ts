/** Tells whether the gateway can do its work: the database answers, and is migrated as this release expects. */
import type { Context } from './context.ts'
import { readMigrations } from './platform/database/migrate.ts'

/** Where the schema's history is. */
export const MIGRATIONS = new URL('./migrations/', import.meta.url)

/** Makes the check; it throws what keeps the gateway from being ready. A newer schema is fine: migrations only add. */
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
