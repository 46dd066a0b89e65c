/** Tests that the cost of claiming due payments depends on those claimed, by the index of due times. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { claimRowsQuery, findEarliestDueTime } from '../../platform/jobs/due-row-scan.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { polling } from './poll-schedule.ts'

const STORED = 10_000
const BATCH = 50
/** A bank at which half of the due payments wait, all of them due before those of other banks. */
const SLOW = 'BANKNO10'
/** Finding a row, leasing it, and the bank's share of finding the banks. */
const PAGES_PER_PICK_MAX = 40

let fresh: FreshDatabase
let database: Database<unknown>
const clock = movableClock()
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 2 })
  await database.pool.query(
    `insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
       amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
       status, bank_status, signed, notification_token_hash, created_at, status_at, changed_at, poll_at)
     select ('00000000-0000-7000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid, gen_random_uuid(), 'Domestic',
       gen_random_uuid(), case when n % 2 = 0 then 'BANKNO10' else 'BANKNO' || 11 + n % 12 end, 'NO', '987654325', n::text, n, 'NOK', '80501100017', '80501200011',
       '2026-11-21', '{}', 'known', gen_random_uuid(), n::text, 'InProgress', 'ACSP', true, 'hint', t.at, t.at, t.at,
       t.at + case when n % 2 = 0 then (n % 100 - 200) else (n % 100 - 10) end * interval '1 minute'
     from generate_series(1, $1::int) n, (values ($2::timestamptz)) as t(at)`,
    [STORED, clock.now().toString()],
  )
  await database.pool.query('vacuum analyze payments')
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

/** Claims as a worker does that has used the whole concurrency limit of a bank. */
function limitsWithout(...full: readonly string[]) {
  return { limit: BATCH, perPartition: BATCH, byPartition: new Map(full.map((bic) => [bic, 0])) }
}

async function planOf(statement: ReturnType<typeof claimRowsQuery>): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(database.query)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('due payments are found by the index of due times, and leased by their keys', async () => {
  const times = { real: clock.real(), dueBefore: clock.now() }
  const plan = await planOf(claimRowsQuery({ ...polling, leaseSeconds: 60 }, times, limitsWithout(SLOW)))
  // Twice for finding the banks, once for the due rows of each.
  expect(plan.match(/Index (Only )?Scan using payments_poll/g)).toHaveLength(3)
  expect(plan).toMatch(/Index Scan using payments_pkey/)
  expect(plan).not.toMatch(/Seq Scan/)
})

test('claiming the payments of other banks reads none of a bank that is at its limit, however many are due there', async () => {
  const times = { real: clock.real(), dueBefore: clock.now() }
  const before = await database.pool.query('select 1 from payments where bic = $1 and poll_at <= $2', [
    SLOW,
    times.dueBefore.toString(),
  ])
  expect(before.rows.length).toBeGreaterThan(STORED / 4)
  const statement = claimRowsQuery({ ...polling, leaseSeconds: 60 }, times, limitsWithout(SLOW))
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers, timing off) ${statement}`.execute(
    database.query,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const [, pages = Number.POSITIVE_INFINITY] = /Buffers: shared hit=(\d+)/.exec(plan) ?? []
  expect(Number(pages)).toBeLessThan(PAGES_PER_PICK_MAX * BATCH)
})

test('the payment that is due next is found by one index lookup for each bank', async () => {
  const { rows } = await sql<{ first: Temporal.Instant }>`select min(poll_at) as first from payments`.execute(
    database.query,
  )
  const first = await findEarliestDueTime(database, polling)
  expect(first?.toString()).toBe(rows[0]?.first.toString())
})

test('a lease writes no index entry', async () => {
  const before = await hotUpdates()
  const times = { real: clock.real(), dueBefore: clock.now() }
  await claimRowsQuery({ ...polling, leaseSeconds: 60 }, times, limitsWithout()).execute(database.query)
  await expect.poll(hotUpdates).toBeGreaterThanOrEqual(before + BATCH * 0.9)

  async function hotUpdates(): Promise<number> {
    await database.pool.query('select pg_stat_force_next_flush()')
    const { rows } = await database.pool.query<{ hot: bigint }>(
      "select n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'payments'",
    )
    return Number(rows[0]?.hot ?? 0)
  }
})
