/** Every query on the table `banks`: the directory's rows, and how each bank has answered of late. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Circuit } from '../transport/circuit.ts'

/** A row of the table. */
export type BankRow = {
  bic: string
  name: string
  country_code: string
  connector: string
  profile: string
  address: string
  link_hosts: string[]
  enabled: boolean
  failures: number
  failing_since: Temporal.Instant | null
  paused_until: Temporal.Instant | null
  order_failures: number
  orders_failing_since: Temporal.Instant | null
}

const ORDERS_HEALTHY = { order_failures: 0, orders_failing_since: null } as const
const HEALTHY = { failures: 0, failing_since: null, paused_until: null, ...ORDERS_HEALTHY } as const

/** The part of the database that this store knows. */
type BankTables = { banks: BankRow }

const bankTables = (database: Queryable): Kysely<BankTables> => database.query.withTables<BankTables>()

/** What is set by people; the rest is learnt from calls. */
export type DirectoryEntry = Omit<BankRow, keyof typeof HEALTHY>

/** How long a bank is left alone after so many failures in a row. */
export type PauseRule = {
  readonly failuresBefore: number
  readonly firstSeconds: number
  readonly longestSeconds: number
}

/** All rows, disabled ones too. */
export async function selectBanks(database: Database<unknown>): Promise<readonly BankRow[]> {
  return await bankTables(database).selectFrom('banks').selectAll().orderBy('bic').execute()
}

/** Writes what people set and leaves what was learnt. */
export async function upsertBank(database: Queryable, entry: DirectoryEntry): Promise<void> {
  const { bic: _key, ...settings } = entry
  await bankTables(database)
    .insertInto('banks')
    .values({ ...entry, ...HEALTHY })
    .onConflict((conflict) => conflict.column('bic').doUpdateSet(settings))
    .execute()
}

/**
 * Counts a failure. One that was begun before a pause and ends in it does not count: a burst of calls that fail together
 * is one piece of news.
 */
export async function countFailure(
  database: Database<unknown>,
  bic: string,
  now: Temporal.Instant,
  rule: PauseRule,
): Promise<BankRow | undefined> {
  const { rows } = await sql<BankRow>`
    update banks set
      failures = failures + 1,
      failing_since = coalesce(failing_since, ${now.toString()}::timestamptz),
      paused_until = case when failures + 1 >= ${rule.failuresBefore}::int then
        ${now.toString()}::timestamptz + interval '1 second' * least(
          ${rule.longestSeconds}::float8,
          ${rule.firstSeconds}::float8 * power(2::float8, least(failures + 1 - ${rule.failuresBefore}::int, 30)))
        else paused_until end
    where bic = ${bic} and (paused_until is null or paused_until <= ${now.toString()}::timestamptz)
    returning *`.execute(bankTables(database))
  return rows[0]
}

/** Counts a failed initiation: it shows in the bank's status, and pauses nothing. */
export async function countOrderFailure(
  database: Database<unknown>,
  bic: string,
  now: Temporal.Instant,
): Promise<BankRow | undefined> {
  const { rows } = await sql<BankRow>`
    update banks set order_failures = order_failures + 1,
      orders_failing_since = coalesce(orders_failing_since, ${now.toString()}::timestamptz)
    where bic = ${bic}
    returning *`.execute(bankTables(database))
  return rows[0]
}

/** Forgets the failures of every bank. */
export async function clearAllFailures(database: Database<unknown>): Promise<void> {
  await bankTables(database)
    .updateTable('banks')
    .set(HEALTHY)
    .where((where) => where.or([where('failures', '>', 0), where('order_failures', '>', 0)]))
    .execute()
}

/** Forgets failures: the bank answered. An initiation that was answered speaks for everything else, not the reverse. */
export async function clearFailures(database: Database<unknown>, bic: string, circuit: Circuit): Promise<void> {
  const { order_failures: _count, orders_failing_since: _since, ...others } = HEALTHY
  await bankTables(database)
    .updateTable('banks')
    .set(circuit === 'orders' ? HEALTHY : others)
    .where('bic', '=', bic)
    .execute()
}
