/** Queries that empty the sandbox's tables, count what they hold, and store how far a load has come. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import type { DataSetLoad, DataSetName } from './data-set.ts'

/** What a load deletes, as far as users know it. */
export type StoredCounts = {
  readonly partners: number
  readonly companies: number
  readonly consents: number
  readonly payments: number
  readonly payrolls: number
  readonly subscriptions: number
}

/**
 * Every other table is emptied, also one that a later release adds: these belong to the installation, or are changed
 * row by row.
 */
const KEPT_TABLES = [
  'migrations',
  'banks',
  'business_clock',
  'business_clock_move_lock',
  'clients',
  'console_invitations',
  'console_passkeys',
  'console_sessions',
  'console_sign_ins',
  'console_users',
  // Processes that run hold the key in memory.
  'digest_keys',
  'fx_providers',
  'fx_reference_fetches',
  'fx_reference_rates',
  'partners',
  'running_processes',
  'sandbox_data_set',
  'token_keys',
] as const

/** More are not counted, so that a table of millions is not read. */
export const STORED_COUNT_MAX = 1_000

/** Each count ends at one more than the maximum. */
export async function countStored({ query }: Queryable): Promise<StoredCounts> {
  const count = (table: string) =>
    sql`(select count(*)::int from (select 1 from ${sql.table(table)} limit ${STORED_COUNT_MAX + 1}) t)`
  const { rows } = await sql<StoredCounts>`
    select ${count('partners')} as partners, ${count('companies')} as companies, ${count('consents')} as consents,
      ${count('payments')} as payments, ${count('payrolls')} as payrolls,
      ${count('webhook_subscriptions')} as subscriptions`.execute(query)
  const [counts] = rows
  if (counts === undefined) {
    throw new Error('The tables could not be counted')
  }
  return counts
}

/** The tables that a load of this set empties. */
export async function listEmptiedTables({ query }: Queryable, set: DataSetName): Promise<readonly string[]> {
  const kept = set === 'empty' ? [...KEPT_TABLES, 'companies'] : KEPT_TABLES
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and not tablename = any(${kept}) order by tablename`.execute(query)
  return rows.map(({ name }) => name)
}

/** Requests and jobs that are in flight are waited for. */
export async function emptyTables(database: Queryable, tables: readonly string[]): Promise<void> {
  await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))}`.execute(database.query)
}

/** Lets PostgreSQL estimate the new tables. */
export async function analyzeTables(database: Queryable, tables: readonly string[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map((name) => sql.table(name)))}`.execute(database.query)
}

export async function findLoad({ query }: Queryable): Promise<DataSetLoad | undefined> {
  const { rows } = await sql<DataSetLoad>`
    select name, state, step, done, total, started_at as "startedAt", updated_at as "updatedAt", error
    from sandbox_data_set`.execute(query)
  return rows[0]
}

/** The load that begins takes the place of the last one. */
export async function insertLoad({ query }: Queryable, name: DataSetName, real: Temporal.Instant): Promise<void> {
  await sql`
    insert into sandbox_data_set (name, state, step, done, total, started_at, updated_at)
    values (${name}, 'loading', 'delete', 0, 0, ${timestamp(real)}, ${timestamp(real)})
    on conflict (only_row) do update set name = excluded.name, state = excluded.state, step = excluded.step,
      done = 0, total = 0, started_at = excluded.started_at, updated_at = excluded.updated_at, error = null`.execute(
    query,
  )
}

export async function updateLoad(
  { query }: Pick<Database<unknown>, 'query'>,
  { state, step, done, total, error }: Omit<DataSetLoad, 'name' | 'startedAt' | 'updatedAt'>,
  real: Temporal.Instant,
): Promise<void> {
  await sql`
    update sandbox_data_set set state = ${state}, step = ${step}, done = ${done}, total = ${total}, error = ${error},
      updated_at = ${timestamp(real)}`.execute(query)
}
