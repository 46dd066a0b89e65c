/** `havn migrate`: applies the migrations that a database lacks, and prepares it for a pooler. */
import { databaseUrlError } from '../../gateway/config/database-settings.ts'
import { migrate, WAIT_SECONDS } from '../../gateway/platform/database/migrate.ts'
import { withConnection } from '../../gateway/platform/database/migration/migration-session.ts'
import { isPooled, storeSessionSettings } from '../../gateway/platform/database/pool-mode.ts'
import { waitForDatabase } from '../../gateway/platform/database/wait-for-database.ts'

const PROGRAM = 'havn migrate'
const MIGRATIONS = new URL('../../gateway/migrations/', import.meta.url)

type Options = { readonly waitSeconds?: number }

/** Prints the applied migrations, what the run waits for, and the version of the schema. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv, options: Options): Promise<void> {
  const connectionString = environment['DATABASE_URL']?.trim() || undefined
  if (connectionString === undefined) {
    throw new Error('DATABASE_URL is missing: the address of PostgreSQL, e.g. postgres://havn@localhost/havn')
  }
  const error = databaseUrlError(connectionString)
  if (error !== undefined) {
    throw new Error(error)
  }
  const report = (line: string) => console.error(line)
  // It waits for a database that is away, too, and for no longer than for locks.
  const millisecondsMax = (options.waitSeconds ?? WAIT_SECONDS) * 1_000
  const wait = { connectionString, applicationName: PROGRAM, report, millisecondsMax }
  await waitForDatabase(wait)
  const { version, newer } = await migrate(connectionString, MIGRATIONS, {
    ...options,
    reportApplied: (name) => console.log(`applied ${name}`),
    reportWait: report,
  })
  console.log(`The database is at migration ${version}`)
  if (newer.length > 0) {
    console.log(`A newer release made ${newer.join(', ')}; this one can run with them, and changed nothing`)
    return
  }
  for (const statement of await prepareForPooler(connectionString)) {
    console.log(`applied ${statement}`)
  }
}

/** Through a pooler, settings of a session do not last: they are stored with the user. */
async function prepareForPooler(connectionString: string): Promise<readonly string[]> {
  return await withConnection(connectionString, async (client) =>
    (await isPooled(client)) ? await storeSessionSettings(client) : [],
  )
}
