/** Measures the time to claim due rows among many open payments, also with a stalled bank. */
import pg from 'pg'
import { movableClock } from '../../gateway/platform/clock.ts'
import { type Database, openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import { dueRowSweep } from '../../gateway/platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../../gateway/platform/jobs/sweep.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { openMetrics } from '../../gateway/platform/observability/metrics.ts'
import { atMost, median } from '../figures.ts'

export type DueRowScanPlan = { readonly openPayments: number; readonly batches: number }

const MIGRATIONS = new URL('../../gateway/migrations/', import.meta.url)
const DATABASE = 'havn_bench_poller'
const BATCH = 1_000
const ROWS_PER_STATEMENT = 20_000
const SHOWN = { unit: ' ms', decimals: 1 }
const LEASE_SECONDS = 120
const CONCURRENCY_LIMITS = { perPartition: BATCH, perPartitionMin: 1, together: 100 * BATCH }
/** The share of additional payments at a stalled bank, all of them due before any other. */
const STALLED_SHARE = 0.24
const STALLED_BIC = 'NEDENO22'
/** One in ten is due, except at the stalled bank, where all are. */
const OPEN_PAYMENTS = `
  insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
    amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
    status, bank_status, signed, notification_token_hash, created_at, status_at, changed_at, poll_at)
  select ('00000000-0000-7000-8000-' || lpad((n % 50)::text, 12, '0'))::uuid, gen_random_uuid(), 'Domestic',
    gen_random_uuid(), coalesce($3, 'BANKNO' || 10 + n % 12), 'NO', '987654325', 'open-' || n, n, 'NOK', '80501100017', '80501200011',
    '2026-11-21', repeat('x', 600), 'known', gen_random_uuid(), gen_random_uuid()::text, 'InProgress', 'ACSP', true,
    repeat('h', 43), t.at, t.at, t.at, t.at + (random() - case when $3 is null then 0.1 else 3 end) * interval '1 hour'
  from generate_series($1::int, $2::int) n, (values (clock_timestamp())) as t(at)`

/** How quickly a worker claims due rows: in a separate database without a worker. */
export async function measureDueRowScan(connectionString: string, plan: DueRowScanPlan): Promise<readonly string[]> {
  const own = new URL(connectionString)
  await onServer(connectionString, `drop database if exists ${DATABASE} with (force)`)
  await onServer(connectionString, `create database ${DATABASE}`)
  own.pathname = `/${DATABASE}`
  await migrate(own.href, MIGRATIONS)
  const database = openDatabase<unknown>({
    connectionString: own.href,
    applicationName: 'havn bench',
    connectionsMax: 2,
  })
  try {
    await fill(database, plan.openPayments, null)
    const sweep = sweepOf(database, async () => undefined)
    const milliseconds = await medianOfBatches(sweep, plan.batches)
    await database.pool.query('update payments set lease_until = null where lease_until is not null')
    await fill(database, plan.openPayments * STALLED_SHARE, STALLED_BIC)
    const withStalledBank = await measureWithStalledBank(database, plan)
    return [
      `A batch of ${BATCH} claimed among ${plan.openPayments} open payments: ${atMost(milliseconds, 50, SHOWN)}`,
      `  while one bank is at its limit: ${atMost(withStalledBank, 50, SHOWN)}`,
    ]
  } finally {
    await database.close()
    await onServer(connectionString, `drop database ${DATABASE} with (force)`)
  }
}

async function fill({ pool }: Database<unknown>, count: number, bic: string | null): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
    await pool.query(OPEN_PAYMENTS, [from, Math.min(from + ROWS_PER_STATEMENT - 1, count), bic])
  }
  await pool.query('vacuum analyze payments')
  await pool.query('checkpoint')
}

/** The bank's rows are in flight throughout: the first batch consists of its rows, which are the oldest. */
async function measureWithStalledBank(database: Database<unknown>, plan: DueRowScanPlan): Promise<number> {
  const held = Promise.withResolvers<void>()
  let seeTo = () => held.promise
  const sweep = sweepOf(database, () => seeTo())
  const underWay = await sweep.begin?.(BATCH)
  seeTo = async () => undefined
  const milliseconds = await medianOfBatches(sweep, plan.batches)
  held.resolve()
  await Promise.all(underWay ?? [])
  return milliseconds
}

function sweepOf(database: Database<unknown>, seeTo: () => Promise<void>): Sweep {
  const rows = { name: 'bench', table: 'payments', column: 'poll_at', partition: 'bic', time: 'business' } as const
  return dueRowSweep(
    {
      database,
      clock: movableClock(),
      log: openLog({ program: 'bench', level: 'silent' }),
      metrics: openMetrics({ processMetrics: false }),
      trace: null,
    },
    { ...rows, leaseSeconds: LEASE_SECONDS },
    seeTo,
    CONCURRENCY_LIMITS,
  )
}

async function medianOfBatches(sweep: Sweep, count: number): Promise<number> {
  const took: number[] = []
  for (let batch = 0; batch < count; batch += 1) {
    const began = performance.now()
    const found = await sweep.run(BATCH)
    took.push(performance.now() - began)
    if (found < BATCH) {
      throw new Error(`Only ${found} payments were due`)
    }
  }
  return median(took)
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
