/** Every query on the table `banks`: the directory's rows and the recent failures of each bank. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'

/** Consecutive failures of a bank, in wall time; initiations are counted apart from all other calls. */
export type BankHealth = {
  failures: number
  failing_since: Temporal.Instant | null
  paused_until: Temporal.Instant | null
  order_failures: number
  orders_failing_since: Temporal.Instant | null
}

export type BankRow = BankHealth & {
  bic: string
  name: string
  country_code: string
  connector: string
  profile: string
  address: string
  link_hosts: string[]
  certificate: string | null
  enabled: boolean
}

/** The health of a bank that answers. */
export const HEALTHY: Readonly<BankHealth> = {
  failures: 0,
  failing_since: null,
  paused_until: null,
  order_failures: 0,
  orders_failing_since: null,
}

/** The columns that operators set; the others are derived from calls. */
export type DirectoryEntry = Omit<BankRow, keyof BankHealth>

/** So many failures in a row of different things pause the bank; sporadic ones are normal at any bank. */
export const FAILURES_BEFORE_PAUSE = 3
/** Each further failure doubles the pause, up to the longest. */
const PAUSE_SECONDS = { first: 5, longest: 300 }

/** All rows, disabled ones too. */
export async function selectBanks(database: Database<unknown>): Promise<readonly BankRow[]> {
  return (await sql<BankRow>`select * from banks order by bic`.execute(database.query)).rows
}

/** Writes the columns that operators set and leaves the health of an existing row unchanged. */
export async function upsertBank(database: Queryable, entry: DirectoryEntry): Promise<void> {
  const { bic: _key, ...settings } = entry
  await database.query
    .withTables<{ banks: BankRow }>()
    .insertInto('banks')
    .values({ ...entry, ...HEALTHY })
    .onConflict((conflict) => conflict.column('bic').doUpdateSet(settings))
    .execute()
}

/**
 * Counts a failure, and pauses the bank after too many. A failure during a pause does not count: calls that fail together
 * are one event. Undefined when nothing was counted.
 */
export async function countFailure(
  database: Database<unknown>,
  bic: string,
  now: Temporal.Instant,
): Promise<BankRow | undefined> {
  const { rows } = await sql<BankRow>`
    update banks set
      failures = failures + 1,
      failing_since = coalesce(failing_since, ${now.toString()}::timestamptz),
      paused_until = case when failures + 1 >= ${FAILURES_BEFORE_PAUSE}::int then
        ${now.toString()}::timestamptz + interval '1 second' * least(
          ${PAUSE_SECONDS.longest}::float8,
          ${PAUSE_SECONDS.first}::float8 * power(2::float8, least(failures + 1 - ${FAILURES_BEFORE_PAUSE}::int, 30)))
        else paused_until end
    where bic = ${bic} and (paused_until is null or paused_until <= ${now.toString()}::timestamptz)
    returning *`.execute(database.query)
  return rows[0]
}

/** Counts a failed initiation, which affects the bank's status but does not pause the bank. */
export async function countOrderFailure(
  database: Database<unknown>,
  bic: string,
  now: Temporal.Instant,
): Promise<BankRow | undefined> {
  const { rows } = await sql<BankRow>`
    update banks set order_failures = order_failures + 1,
      orders_failing_since = coalesce(orders_failing_since, ${now.toString()}::timestamptz)
    where bic = ${bic}
    returning *`.execute(database.query)
  return rows[0]
}

export async function clearAllFailures(database: Database<unknown>): Promise<void> {
  await sql`
    update banks set failures = 0, failing_since = null, paused_until = null,
      order_failures = 0, orders_failing_since = null
    where failures > 0 or order_failures > 0`.execute(database.query)
}

/** Clears failures after an answer. An answered initiation clears all; another call leaves those of initiations. */
export async function clearFailures(database: Database<unknown>, bic: string, isOrder: boolean): Promise<void> {
  await sql`
    update banks set failures = 0, failing_since = null, paused_until = null
      ${isOrder ? sql`, order_failures = 0, orders_failing_since = null` : sql``}
    where bic = ${bic}`.execute(database.query)
}
