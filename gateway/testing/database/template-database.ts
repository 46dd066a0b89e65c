/** Creates the template database for tests: applies all migrations once and closes it to connections. */
import { hash } from 'node:crypto'
import pg from 'pg'
import { type Static, Type } from 'typebox'
import { migrate } from '../../platform/database/migrate.ts'
import { readMigrations } from '../../platform/database/migration/migration-file.ts'

/** A server: a URL of it for creating databases, and whether it stores its data in memory. */
export const TestServer = Type.Object({ server: Type.String(), isInMemory: Type.Boolean() })
export type TestServer = Static<typeof TestServer>

export const Template = Type.Object({ ...TestServer.properties, name: Type.String() })
export type Template = Static<typeof Template>

/** All schemas and the folders of their migrations. */
export const SCHEMAS = [
  { schema: 'public', folder: new URL('../../migrations/', import.meta.url) },
  { schema: 'sandbox_bank', folder: new URL('../../../sandbox/bank/migrations/', import.meta.url) },
]
/** Advisory lock: prevents two test runs on one server from creating the template at the same time. */
const TEMPLATE_LOCK = 4_826_102

/** The template for the current migrations; its name contains their digest, so a change creates another template. */
export async function makeTemplate({ server, isInMemory }: TestServer): Promise<Template> {
  const migrations = await Promise.all(SCHEMAS.map(({ folder }) => readMigrations(folder)))
  const name = `havn_template_${hash('sha256', JSON.stringify(migrations)).slice(0, 12)}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    await fill(client, server, name)
  } finally {
    await client.end()
  }
  return { server, isInMemory, name }
}

/** The URL of another database on the same server. */
export function onServer(server: string, database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.href
}

async function fill(client: pg.Client, server: string, name: string): Promise<void> {
  const found = await client.query<{ open: boolean }>(
    'select datallowconn as open from pg_database where datname = $1',
    [name],
  )
  if (found.rows[0]?.open === false) {
    return
  }
  if (found.rows.length === 0) {
    await client.query(`create database ${pg.escapeIdentifier(name)}`)
  }
  for (const { schema, folder } of SCHEMAS) {
    await migrate(onServer(server, name), folder, { schema })
  }
  // An open connection to the template would make cloning fail.
  await client.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections false`)
}
