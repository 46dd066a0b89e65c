/** Migrates a database's schema: numbered SQL files, each run once, in a transaction of its own under an advisory lock. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

type Migration = { readonly number: number; readonly name: string; readonly sql: string }

/** The result of a migration run. */
export type MigrationRun = { readonly applied: readonly string[]; readonly version: number }

/** An arbitrary number that no other program uses as an advisory lock in the same database. */
export const MIGRATION_LOCK = 4_826_101
const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/

/** Applies the missing migrations of the folder to a schema, and returns which ones it applied. */
export async function migrate(connectionString: string, folder: URL, schema = 'public'): Promise<MigrationRun> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ connectionString, application_name: 'havn migrate' })
  await client.connect()
  try {
    const done = await underLock(client, schema, () => readApplied(client, schema))
    if (done.size > migrations.length) {
      const versions = `the database is at migration ${done.size}, this program at ${migrations.length}`
      throw new Error(`The database was made by a newer program, or by one before the first release: ${versions}`)
    }
    const applied: string[] = []
    for (const migration of migrations.filter(({ number }) => !done.has(number))) {
      if (await underLock(client, schema, () => apply(client, migration))) {
        applied.push(migration.name)
      }
    }
    return { applied, version: migrations.length }
  } finally {
    await client.end()
  }
}

/**
 * Lock and settings end with the transaction, so that a pooler in transaction mode serves them as well. A migration may
 * take long on a large table.
 */
async function underLock<Result>(client: pg.Client, schema: string, carryOut: () => Promise<Result>): Promise<Result> {
  await client.query('begin; set local statement_timeout = 0')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(`set local search_path to ${pg.escapeIdentifier(schema)}`)
    const result = await carryOut()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Reads the migrations in order. Throws for a gap or an unexpected file name, which is a mistake of the release. */
export async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return await Promise.all(names.map((name, index) => readMigration(folder, name, index + 1)))
}

/** A digest of the migrations, which identifies a migrated template database. */
export function digestOfMigrations(migrations: readonly Migration[]): string {
  const hash = createHash('sha256')
  for (const { name, sql } of migrations) {
    hash.update(`${name}\n${sql}\n`)
  }
  return hash.digest('hex').slice(0, 12)
}

async function readMigration(folder: URL, name: string, expected: number): Promise<Migration> {
  const [, number] = FILE_NAME.exec(name) ?? []
  if (number === undefined || Number(number) !== expected) {
    throw new Error(`Migration ${name} should be number ${String(expected).padStart(4, '0')}: no gaps, four digits`)
  }
  return { number: expected, name, sql: await readFile(new URL(name, folder), 'utf8') }
}

/** The numbers of the applied migrations. */
async function readApplied(client: pg.Client, schema: string): Promise<ReadonlySet<number>> {
  await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`)
  await client.query('create table if not exists migrations (number int primary key, name text not null)')
  const { rows } = await client.query<{ number: number }>('select number from migrations')
  return new Set(rows.map(({ number }) => number))
}

/** False if another program applied it meanwhile. */
async function apply(client: pg.Client, { number, name, sql }: Migration): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from migrations where number = $1', [number])
  if (rowCount !== 0) {
    return false
  }
  try {
    await client.query(sql)
    await client.query('insert into migrations (number, name) values ($1, $2)', [number, name])
    return true
  } catch (error) {
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}
