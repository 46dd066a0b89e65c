/** Tests the daily counts of payments: that they equal what is stored, whenever changes become visible, and their plans. */

import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { openLog } from '../../platform/observability/log.ts'
import { openMetrics } from '../../platform/observability/metrics.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { contextOf } from '../../testing/gateway/test-context.ts'
import { changedDaysQuery, dailyCountsQuery, insertCountsQuery, nonEmptyDaysQuery } from '../store/daily-count-store.ts'
import { COUNTED_DAYS, countPayments, listDailyCounts, paymentCountSweep } from './count-payments.ts'

const LIVES = Number(process.env['HAVN_DAILY_COUNT_LIVES'] ?? 5)
const STATUSES = ['Unsigned', 'InProgress', 'Completed', 'Rejected', 'Cancelled']
const HOUR = 3_600_000

let fresh: FreshDatabase
let database: Database<unknown>
let partners: readonly string[]
const clock = movableClock()
beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase({ connectionString: fresh.connectionString, applicationName: 'test', connectionsMax: 3 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => empty())

async function empty(): Promise<void> {
  clock.setOffset(0)
  await query('truncate payments, payment_daily_counts, payment_count_positions')
  await query('delete from partners')
  partners = [newId(), newId()]
  for (const id of partners) {
    await query('insert into partners (id, name, created_at) values ($1::uuid, $1::text, $2)', [id, now()])
  }
}

const query = async (text: string, values: readonly unknown[] = []) =>
  (await database.pool.query(text, [...values])).rows
const now = (minutes = 0) => clock.now().add({ minutes }).toString()

type NewPayment = {
  /** The place of its partner. */
  readonly partner?: number
  readonly currency?: string
  readonly minor?: number
  readonly createdAt?: string
  readonly payrollId?: string
}

async function store(
  { partner = 0, currency = 'NOK', minor = 100, createdAt = now(), payrollId }: NewPayment = {},
  connection: Pick<Database<unknown>['pool'], 'query'> = database.pool,
): Promise<void> {
  await connection.query(
    `insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
       amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status,
       notification_token_hash, created_at, status_at, changed_at, payroll_id)
     values ($1, $2::uuid, 'Domestic', $2, 'FJORNO22', 'NO', '987654325', $2::text, $3, $4, '80501100017', '80501200011',
       '2026-11-21', '{}', 'known', $2, 'Unsigned', 'hash', $5, $5, $5, $6)`,
    [partners[partner], newId(), minor, currency, createdAt, payrollId ?? null],
  )
}

/** As the only writer of statuses does it, for every `each`-th payment. */
async function change(status: string, each: number): Promise<void> {
  await query(
    `update payments set status = $1, signed = $1 in ('InProgress', 'Completed'), changed_at = $2
     where id in (select id from (select id, row_number() over (order by id) as n from payments) p where n % $3 = 0)`,
    [status, now(), each],
  )
}

/** A round: business time moves, often back, and payments are initiated and change. */
const rounds = fc.array(
  fc.record({
    hours: fc.integer({ min: -15, max: 50 }),
    initiated: fc.array(
      fc.record({
        partner: fc.nat(1),
        currency: fc.constantFrom('NOK', 'SEK', 'EUR'),
        minor: fc.integer({ min: 1, max: 1e6 }),
      }),
      { maxLength: 4 },
    ),
    changes: fc.array(fc.tuple(fc.constantFrom(...STATUSES), fc.integer({ min: 1, max: 5 })), { maxLength: 3 }),
  }),
  { minLength: 2, maxLength: 6 },
)

const log = openLog({ program: 'test', level: 'silent' })
const metrics = openMetrics({ processMetrics: false })
const context = () => contextOf({ database, clock, log, metrics })

/** Counts as a worker does that finds every partner due. */
async function count(): Promise<number> {
  await query(`update payment_count_positions set due_at = '2000-01-01T00:00:00Z'`)
  return await countPayments(context(), 10)
}

async function expectCountsOfStored(): Promise<void> {
  const day = `(created_at at time zone 'Europe/Oslo')::date::text`
  const stored = await query(
    `select partner_id, ${day} as day, currency, status, signed, count(*)::int as count,
       sum(amount_minor)::bigint as amount_minor
     from payments where payroll_id is null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  )
  const counted = await query(
    `select partner_id, day::text, currency, status, signed, count, amount_minor from payment_daily_counts
     order by 1, 2, 3, 4, 5`,
  )
  expect(counted).toEqual(stored)
}

describe('the counts', () => {
  it('equal what is stored, after any changes, while time passes and is moved back', async () => {
    const holds = fc.asyncProperty(rounds, async (life) => {
      await empty()
      for (const { hours, initiated, changes } of life) {
        clock.setOffset(clock.offsetMilliseconds() + hours * HOUR)
        for (const payment of initiated) {
          await store(payment)
        }
        for (const [status, each] of changes) {
          await change(status, each)
        }
        expect(await count()).toBe(partners.length)
        await expectCountsOfStored()
      }
    })
    await fc.assert(holds, { numRuns: LIVES })
  })

  it('get a payment that becomes visible after the count of its time', async () => {
    await count()
    const connection = await database.pool.connect()
    await connection.query('begin')
    await store({}, connection)
    await count()
    await connection.query('commit')
    connection.release()
    await count()
    await expectCountsOfStored()
    expect(await query('select sum(count)::int as total from payment_daily_counts')).toEqual([{ total: 1 }])
  })

  it('get one that becomes visible much later with the count of the next day', async () => {
    await count()
    await store({ createdAt: now(-30) })
    await count()
    expect(await query('select * from payment_daily_counts')).toEqual([])
    clock.setOffset(24 * HOUR)
    await count()
    await expectCountsOfStored()
  })

  it('leave out salaries, and days long past', async () => {
    // One day more: with summer time in between, the first of so many times 24 hours may be counted late in the evening.
    const hours = 24 * (COUNTED_DAYS + 1)
    await store({ payrollId: newId() })
    await store({ createdAt: now(-60 * hours) })
    await count()
    expect(await query('select * from payment_daily_counts')).toEqual([])
    await store()
    await count()
    clock.setOffset(hours * HOUR)
    await count()
    expect(await query('select * from payment_daily_counts')).toEqual([])
  })

  it('are summed over the partners that the reader may see', async () => {
    await store({ partner: 0 })
    await store({ partner: 1 })
    const today = clock.today('Europe/Oslo')
    const listed = async (partnerId: string | null) => {
      const { counts, countedTo } = await listDailyCounts(context(), partnerId, { from: today, to: today })
      return [counts.reduce((sum, cell) => sum + cell.count, 0), countedTo !== null]
    }
    expect(await listed(null)).toEqual([0, false])
    await count()
    expect(await listed(null)).toEqual([2, true])
    expect(await listed(partners[0] ?? '')).toEqual([1, true])
  })
})

describe('a worker', () => {
  it('leaves a partner alone that another one counts, or that is not due', async () => {
    expect(await count()).toBe(partners.length)
    expect(await countPayments(context(), 10)).toBe(0)
    const sweep = paymentCountSweep(context())
    expect((await sweep.nextDue())?.since(clock.real()).total('seconds')).toBeGreaterThan(0)
    const connection = await database.pool.connect()
    await connection.query('begin')
    await connection.query('select 1 from payment_count_positions where partner_id = $1 for update', [partners[0]])
    await connection.query(`update payment_count_positions set due_at = '2000-01-01T00:00:00Z' where partner_id = $1`, [
      partners[0],
    ])
    expect(await countPayments(context(), 10)).toBe(0)
    await connection.query('commit')
    connection.release()
    expect(await sweep.run(10)).toBe(1)
  })
})

describe('the plans', () => {
  const planOf = async (statement: RawBuilder<unknown>) =>
    (await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(database.query)).rows
      .map((row) => row['QUERY PLAN'])
      .join('\n')

  it('read what has changed, the payments of one day, and the counts', async () => {
    const [partnerId = ''] = partners
    await store()
    await query(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', uuidv7(), 'bank_request_id', uuidv7(),
         'created_at', at, 'changed_at', at, 'end_to_end_id', n))).*
       from payments p, generate_series(1, 1000) n, lateral (select p.created_at - n * interval '1 hour' as at) t`,
    )
    await query('analyze payments')
    const today = clock.today('Europe/Oslo')
    expect(await planOf(changedDaysQuery(partnerId, clock.now()))).toMatch(
      /payments_changed[\s\S]*Index Cond: .*changed_at >=/,
    )
    expect(await planOf(insertCountsQuery(partnerId, today))).toMatch(
      /payments_created[\s\S]*Index Cond: .*created_at >=.*created_at </,
    )
    expect(await planOf(nonEmptyDaysQuery(partnerId, { from: today.subtract({ days: 99 }), to: today }))).toMatch(
      /payments_created[\s\S]*Index Cond: .*created_at >=.*created_at <[\s\S]*payment_daily_counts_pkey/,
    )
    expect(await planOf(dailyCountsQuery(null, { from: today, to: today }))).toMatch(
      /payment_daily_counts_pkey[\s\S]*Index Cond: .*day >=/,
    )
  })
})
