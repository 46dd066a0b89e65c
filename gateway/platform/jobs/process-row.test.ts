/** Tests that a row which fails is put back, counted and logged once, and that an unavailable database is no row's fault. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { movableClock } from '../clock.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { newId } from '../ids.ts'
import { openLog } from '../observability/log.ts'
import { openMetrics } from '../observability/metrics.ts'
import type { RowKey } from './due-row-scan.ts'
import { dueRowSweep } from './due-row-sweep.ts'

let fresh: FreshDatabase
let database: Database<unknown>
const clock = movableClock()
const log = openLog({ program: 'test', level: 'silent' })
const metrics = openMetrics({ processMetrics: false })
const context = () => ({ database, clock, log, metrics, trace: null })
const rows = {
  name: 'test',
  table: 'waiting',
  column: 'due_at',
  partition: 'bic',
  time: 'business',
  leaseSeconds: 60,
} as const

beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 4 })
  await database.pool.query(
    'create table waiting (partner_id uuid, id uuid, bic text, due_at timestamptz, lease_until timestamptz)',
  )
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => database.pool.query('truncate waiting, failed_rows'))

async function insertDueRows(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const dueAt = clock.now().subtract({ seconds: 1 }).toString()
    await database.pool.query('insert into waiting values ($1, $2, $3, $4)', [newId(), newId(), 'FASTNO22', dueAt])
  }
}

async function finish({ id }: RowKey): Promise<void> {
  await database.pool.query('update waiting set due_at = null where id = $1', [id])
}

describe('a sweep', () => {
  it('puts back a row that fails, counts and logs it once, and continues with the others at once', async () => {
    await insertDueRows(3)
    const lines: string[] = []
    const logged = openLog({ program: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })
    const measured = openMetrics({ processMetrics: false })
    const done: RowKey[] = []
    let isBroken = true
    const sweep = dueRowSweep({ ...context(), log: logged, metrics: measured }, rows, async (key) => {
      done.push(key)
      if (isBroken && key.id === done[0]?.id) {
        throw new Error('the first row is broken')
      }
      await finish(key)
    })
    expect([await sweep.run(50), await sweep.run(50)]).toEqual([3, 0])
    const delays: number[] = []
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const due = await sweep.nextDue()
      delays.push(Math.round(due?.since(clock.now()).total('seconds') ?? 0))
      clock.setOffset((due?.epochMilliseconds ?? 0) - clock.real().epochMilliseconds)
      isBroken = attempt < 4
      expect([await sweep.run(50), await sweep.run(50)]).toEqual([1, 0])
    }
    clock.setOffset(0)
    expect(delays).toEqual([30, 60, 120, 240])
    expect(await sweep.nextDue()).toBeNull()
    expect(lines.filter((line) => line.includes('the first row is broken'))).toHaveLength(1)
    expect((await measured.sweepFailures.get()).values).toMatchObject([{ value: 4, labels: { sweep: 'test' } }])
  })

  it('leaves a row alone when the database was unavailable, which is no fault of the row', async () => {
    await insertDueRows(1)
    const sweep = dueRowSweep(context(), rows, async () => {
      throw new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
    })
    const due = await sweep.nextDue()
    await expect(sweep.run(50)).rejects.toThrow(DatabaseUnavailable)
    expect((await sweep.nextDue())?.toString()).toBe(due?.toString())
    const { rows: failed } = await database.pool.query('select from failed_rows')
    expect(failed).toEqual([])
  })

  it('puts back a row whose statement takes too long, which may be the fault of the row', async () => {
    await insertDueRows(2)
    const [first] = (await database.pool.query('select id from waiting order by id limit 1')).rows
    const sweep = dueRowSweep(context(), rows, async (key) => {
      if (key.id === first.id) {
        await database.pool.query('set local statement_timeout = 20; select pg_sleep(10)')
      }
      await finish(key)
    })
    expect([await sweep.run(50), await sweep.run(50)]).toEqual([2, 0])
    const { rows: failed } = await database.pool.query('select row_id from failed_rows')
    expect(failed).toEqual([{ row_id: first.id }])
  })

  it('keeps the time that a row was given before it failed', async () => {
    await insertDueRows(1)
    const later = clock.now().add({ hours: 5 })
    const sweep = dueRowSweep(context(), rows, async ({ id }) => {
      await database.pool.query('update waiting set due_at = $2 where id = $1', [id, later.toString()])
      throw new Error('after it was rescheduled')
    })
    expect([await sweep.run(50), await sweep.run(50)]).toEqual([1, 0])
    expect((await sweep.nextDue())?.toString()).toBe(later.toString())
  })
})
