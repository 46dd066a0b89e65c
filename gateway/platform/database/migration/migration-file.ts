/** Reads the migrations of a release: numbered SQL files. */
import { readdir, readFile } from 'node:fs/promises'

/** A file; `index` is what it creates if it runs without a transaction. */
export type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly index: ConcurrentIndex | null
}

/** An index that is created while its table is written to, which is not possible within a transaction. */
export type ConcurrentIndex = { readonly name: string; readonly table: string; readonly statement: string }

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/
/** The first line of a migration that creates an index while its table is written to. */
export const WITHOUT_TRANSACTION = '-- without transaction'
const CONCURRENT_INDEX = /^create (?:unique )?index concurrently (\w+) on (\w+) ([^;]*);$/

/** Reads the migrations in order. Throws for a gap or an unexpected file name, which is a mistake of the release. */
export async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return await Promise.all(names.map((name, index) => readMigration(folder, name, index + 1)))
}

async function readMigration(folder: URL, name: string, expected: number): Promise<Migration> {
  const [, number] = FILE_NAME.exec(name) ?? []
  if (number === undefined || Number(number) !== expected) {
    throw new Error(`Migration ${name} should be number ${String(expected).padStart(4, '0')}: no gaps, four digits`)
  }
  const sql = await readFile(new URL(name, folder), 'utf8')
  return { number: expected, name, sql, index: concurrentIndexOf(name, sql) }
}

/** One statement for each file: the next one could fail, and the first one cannot be rolled back. */
function concurrentIndexOf(name: string, sql: string): ConcurrentIndex | null {
  if (!sql.startsWith(`${WITHOUT_TRANSACTION}\n`)) {
    return null
  }
  const statement = sql
    .replaceAll(/^--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [, index, table] = CONCURRENT_INDEX.exec(statement) ?? []
  if (index === undefined || table === undefined) {
    throw new Error(`Migration ${name} should be one "create index concurrently name on table …;"`)
  }
  return { name: index, table, statement }
}
