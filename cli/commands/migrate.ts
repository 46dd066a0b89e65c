/** `havn migrate`: applies the migrations that a database lacks. */
import { migrate } from '../../gateway/platform/database/migrate.ts'

const MIGRATIONS = new URL('../../gateway/migrations/', import.meta.url)

/** Prints the version of the schema. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv): Promise<void> {
  const connectionString = environment['DATABASE_URL']
  if (connectionString === undefined) {
    throw new Error('DATABASE_URL is missing: the address of PostgreSQL, e.g. postgres://havn@localhost/havn')
  }
  const { applied, version } = await migrate(connectionString, MIGRATIONS)
  for (const name of applied) {
    console.log(`applied ${name}`)
  }
  console.log(`The database is at migration ${version}`)
}
