/** Migrates a database's schema: numbered SQL files, each run once, in a transaction of its own under an advisory lock. */
import pg from 'pg'
import { createIndexConcurrently } from './migration/concurrent-index.ts'
import { LockNotAcquired } from './migration/lock-wait.ts'
import { type Migration, readMigrations } from './migration/migration-file.ts'
import {
  type MigrationSession,
  underMigrationLock,
  withConnection,
  withMigrationSession,
} from './migration/migration-session.ts'
import { retryBlocked } from './migration/retry-blocked.ts'
import { findServerVersionProblem, SERVER_UPGRADE } from './server-version.ts'

/** The result of a migration run; `newer` has the names of migrations that only a newer program knows. */
export type MigrationRun = {
  readonly applied: readonly string[]
  readonly version: number
  readonly newer: readonly string[]
}

/** How a run waits and reports. */
export type MigrationOptions = {
  /** `public` unless given. */
  readonly schema?: string
  /** Reads what is applied; without it a connection is opened for that. */
  readonly pool?: Pick<pg.Pool, 'query'>
  /** How long the run may wait for locks in total; `WAIT_SECONDS` unless given. */
  readonly waitSeconds?: number
  readonly lockTimeoutMilliseconds?: number
  readonly pauseMilliseconds?: number
  readonly reportApplied?: (name: string) => void
  /** Gets a line each time another session blocks the run. */
  readonly reportWait?: (line: string) => void
}

/** Longer than requests and reports take; what blocks for longer needs an operator. */
export const WAIT_SECONDS = 300
/**
 * The longest time for which requests wait behind a migration. Longer than the second after which PostgreSQL ends an
 * automatic vacuum that blocks a lock, and shorter than the 5 seconds for which a request waits for a connection.
 */
const LOCK_TIMEOUT_MILLISECONDS = 2_000
/** The requests that waited behind an attempt are served before the next one. */
const PAUSE_MILLISECONDS = 2_000

/** Applies the missing migrations of the folder to a schema, and returns which ones it applied. */
export async function migrate(
  connectionString: string,
  folder: URL,
  options: MigrationOptions = {},
): Promise<MigrationRun> {
  const migrations = await readMigrations(folder)
  const settings = {
    schema: options.schema ?? 'public',
    lockTimeoutMilliseconds: options.lockTimeoutMilliseconds ?? LOCK_TIMEOUT_MILLISECONDS,
    pauseMilliseconds: options.pauseMilliseconds ?? PAUSE_MILLISECONDS,
    patience: { leftMilliseconds: (options.waitSeconds ?? WAIT_SECONDS) * 1_000 },
    reportWait: options.reportWait ?? (() => undefined),
  }
  const read = async <Result>(query: (queries: Pick<pg.Pool, 'query'>) => Promise<Result>) =>
    await (options.pool === undefined ? withConnection(connectionString, query) : query(options.pool))
  const stored = await read((queries) => readStored(queries, settings.schema))
  const newer = newerMigrations(migrations, stored)
  const missing = newer.length > 0 ? [] : migrations.filter(({ number }) => !stored.has(number))
  const applied: string[] = []
  if (missing.length > 0) {
    await read(requireSupportedServer)
    await withMigrationSession(connectionString, settings, async (session) => {
      await retryBlocked(session, 'The first migration', () => underMigrationLock(session, () => createTable(session)))
      for (const migration of missing) {
        if (await apply(session, migration)) {
          applied.push(migration.name)
          options.reportApplied?.(migration.name)
        }
      }
    })
  }
  return { applied, version: Math.max(migrations.length, ...stored.keys()), newer }
}

/** The names of the applied migrations, by number. Programs read them at each start, over one connection and without a lock. */
async function readStored(queries: Pick<pg.Pool, 'query'>, schema: string): Promise<ReadonlyMap<number, string>> {
  const table = `${pg.escapeIdentifier(schema)}.migrations`
  const found = await queries.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [table])
  if (found.rows[0]?.exists !== true) {
    return new Map()
  }
  const { rows } = await queries.query<{ number: number; name: string }>(
    `select number, name from ${table} order by number`,
  )
  return new Map(rows.map(({ number, name }) => [number, name]))
}

/** An older server may apply what is missing, and fail at the first statement that it does not know, or in service. */
async function requireSupportedServer(queries: Pick<pg.Pool, 'query'>): Promise<void> {
  const problem = await findServerVersionProblem(queries)
  if (problem !== undefined) {
    throw new Error(`${problem}. ${SERVER_UPGRADE} No migration was applied`)
  }
}

async function createTable({ client, schema }: MigrationSession): Promise<void> {
  await client.query(`create schema if not exists ${client.escapeIdentifier(schema)}`)
  await client.query('create table if not exists migrations (number int primary key, name text not null)')
}

/** A newer program only added to what this one knows. */
function newerMigrations(migrations: readonly Migration[], stored: ReadonlyMap<number, string>): readonly string[] {
  const differing = migrations.find(({ number, name }) => stored.has(number) && stored.get(number) !== name)
  if (differing !== undefined) {
    throw new Error(
      `The database was made by a program before the first release, or changed by hand: its migration ${differing.number} ` +
        `is ${stored.get(differing.number)}, that of this program is ${differing.name}`,
    )
  }
  return [...stored].filter(([number]) => number > migrations.length).map(([, name]) => name)
}

/** False if another program applied it meanwhile. */
async function apply(session: MigrationSession, { number, name, sql, index }: Migration): Promise<boolean> {
  const { client } = session
  const attempt = async () =>
    await underMigrationLock(session, async () => {
      // Without parameters: the portal of a statement with parameters has its snapshot until the next statement, and
      // the creation of an index would wait for it.
      const { rowCount } = await client.query(`select 1 from migrations where number = ${number}`)
      if (rowCount !== 0) {
        return false
      }
      await (index === null ? client.query(sql) : createIndexConcurrently(session, index))
      await client.query('insert into migrations (number, name) values ($1, $2)', [number, name])
      return true
    }).catch((error: unknown) => {
      throw error instanceof LockNotAcquired ? error : failureOf(name, error)
    })
  return await retryBlocked(session, `Migration ${name}`, attempt)
}

function failureOf(name: string, cause: unknown): Error {
  return new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}
