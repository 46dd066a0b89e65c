/** `havn migrate`: applies the migrations that a database lacks, and prepares it for a pooler. */
import pg from 'pg'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import { isPooled, storeSessionSettings } from '../../gateway/platform/database/pool-mode.ts'

const MIGRATIONS = new URL('../../gateway/migrations/', import.meta.url)

type Options = { readonly waitSeconds?: number }

/** Prints the applied migrations, what the run waits for, and the version of the schema. */
export async function migrateDatabase(environment: NodeJS.ProcessEnv, options: Options): Promise<void> {
  const connectionString = environment['DATABASE_URL']
  if (connectionString === undefined) {
    throw new Error('DATABASE_URL is missing: the address of PostgreSQL, e.g. postgres://havn@localhost/havn')
  }
  const { version, newer } = await migrate(connectionString, MIGRATIONS, {
    ...options,
    reportApplied: (name) => console.log(`applied ${name}`),
    reportWait: (line) => console.error(line),
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
  const client = new pg.Client({ connectionString, application_name: 'havn migrate' })
  await client.connect()
  try {
    return (await isPooled(client)) ? await storeSessionSettings(client) : []
  } finally {
    await client.end()
  }
}
