/** Migrates a database's schema: numbered SQL files, each run once, in one transaction, under an advisory lock. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

type Migration = { readonly number: number; readonly name: string; readonly sql: string }

/** The result of a migration run. */
export type MigrationRun = { readonly applied: readonly string[]; readonly version: number }

/** An arbitrary number that no other program uses as an advisory lock in the same database. */
const MIGRATION_LOCK = 4_826_101
const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/

/** Applies the missing migrations of the folder to a schema, and returns which ones it applied. */
export async function migrate(connectionString: string, folder: URL, schema = 'public'): Promise<MigrationRun> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ connectionString, application_name: 'havn migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    return await applyPending(client, migrations, schema)
  } finally {
    await client.end()
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

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  schema: string,
): Promise<MigrationRun> {
  const name = pg.escapeIdentifier(schema)
  await client.query(`create schema if not exists ${name}`)
  await client.query(`set search_path to ${name}`)
  await client.query('create table if not exists migrations (number int primary key, name text not null)')
  const { rows } = await client.query<{ number: number }>('select number from migrations')
  const done = new Set(rows.map((row) => row.number))
  if (done.size > migrations.length) {
    const versions = `the database is at migration ${done.size}, this program at ${migrations.length}`
    throw new Error(`The database was made by a newer program, or by one before the first release: ${versions}`)
  }
  const applied: string[] = []
  for (const migration of migrations.filter(({ number }) => !done.has(number))) {
    await apply(client, migration)
    applied.push(migration.name)
  }
  return { applied, version: migrations.length }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into migrations (number, name) values ($1, $2)', [migration.number, migration.name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed`, { cause: error })
  }
}
