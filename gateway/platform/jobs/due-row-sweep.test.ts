/** Tests sweeps over due rows: order, leases, and slots that a slow bank leaves to the others. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { movableClock } from '../clock.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { newId } from '../ids.ts'
import { openLog } from '../observability/log.ts'
import { openMetrics } from '../observability/metrics.ts'
import { claimRows, type RowKey } from './due-row-scan.ts'
import { dueRowSweep } from './due-row-sweep.ts'
import { startSweeps } from './sweep-runner.ts'

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

/** A bank that hangs has so many rows in progress, each claimed at another time. */
const TURNS = 12
const count = (seen: readonly string[], bic: string) => seen.filter((each) => each === bic).length

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
beforeEach(() => database.pool.query('truncate waiting'))

async function wait(bic: string, count: number, dueSeconds: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const dueAt = clock.now().add({ seconds: dueSeconds })
    await database.pool.query('insert into waiting values ($1, $2, $3, $4)', [newId(), newId(), bic, dueAt.toString()])
  }
}

/** Records the order; the slow bank's rows stay in progress until the test releases them. */
function seeingTo(held: Promise<void>): { readonly seen: string[]; seeTo(key: RowKey): Promise<void> } {
  const seen: string[] = []
  return {
    seen,
    seeTo: async (key) => {
      const { rows: found } = await database.pool.query<{ bic: string }>('select bic from waiting where id = $1', [
        key.id,
      ])
      const bic = found[0]?.bic ?? ''
      seen.push(bic)
      await (bic.startsWith('SLOW') ? held : finish(key))
    },
  }
}

async function finish({ id }: RowKey): Promise<void> {
  await database.pool.query('update waiting set due_at = null where id = $1', [id])
}

describe('a sweep over due rows', () => {
  it('reports when the next one is due, and processes none before', async () => {
    await wait('SLOWNO22', 1, 60)
    const sweep = dueRowSweep(context(), rows, finish)
    expect((await sweep.nextDue())?.epochMilliseconds).toBeGreaterThan(clock.now().epochMilliseconds)
    expect(await sweep.run(10)).toBe(0)
  })

  it('claims none that another worker has leased', async () => {
    await wait('SLOWNO22', 3, -1)
    const held = Promise.withResolvers<void>()
    const begun = await dueRowSweep(context(), rows, () => held.promise).begin(10)
    expect(begun).toHaveLength(3)
    expect(await dueRowSweep(context(), rows, finish).run(10)).toBe(0)
    held.resolve()
    await Promise.all(begun)
  })

  it('leaves the rows of a killed process to another one after seconds, however long they may take', async () => {
    await wait('SLOWNO22', 1, -1)
    const patient = { ...rows, leaseSeconds: 600 }
    // As a killed process leaves it: claimed, and never renewed.
    const [claimed] = await claimRows({ database, clock }, patient, {
      limit: 1,
      perPartition: 1,
      byPartition: new Map(),
    })
    expect(claimed?.leaseUntil.since(clock.real()).total('seconds')).toBeLessThanOrEqual(20)
    await database.pool.query("update waiting set lease_until = lease_until - interval '20 seconds'")
    expect(await dueRowSweep(context(), patient, finish).run(10)).toBe(1)
  })

  it('leaves a row that another statement has locked to its next round, and finds it once it runs until none is due', async () => {
    await wait('FASTNO22', 1, -1)
    const sweep = dueRowSweep(context(), rows, finish)
    const locking = await database.pool.connect()
    await locking.query('begin')
    await locking.query('select id from waiting for update')
    expect(await sweep.begin(10)).toEqual([])
    const run = sweep.run(10)
    for (let round = 0; round < 5; round += 1) {
      expect(await sweep.begin(10)).toEqual([])
    }
    await locking.query('commit')
    locking.release()
    expect(await run).toBe(1)
  })

  it('keeps slots for other banks while one occupies its own', async () => {
    await wait('SLOWNO22', 120, -60)
    await wait('FASTNO22', 5, -1)
    const held = Promise.withResolvers<void>()
    const { seen, seeTo } = seeingTo(held.promise)
    const sweep = dueRowSweep(context(), rows, seeTo)
    const slow = sweep.run(50)
    await expect.poll(() => seen.length).toBe(50)
    expect(await sweep.run(50)).toBe(5)
    expect(seen.slice(50)).toEqual(Array.from({ length: 5 }, () => 'FASTNO22'))
    held.resolve()
    expect(await slow).toBe(50)
  })

  it('uses no more slots for one bank than permitted, however many rows of it come first', async () => {
    await wait('SLOWNO22', 7, -60)
    await wait('FASTNO22', 2, -1)
    const held = Promise.withResolvers<void>()
    const { seen, seeTo } = seeingTo(held.promise)
    const sweep = dueRowSweep(context(), rows, seeTo, { perPartition: 4, perPartitionMin: 1, together: 100 })
    const first = sweep.run(3)
    await expect.poll(() => seen).toEqual(Array.from({ length: 3 }, () => 'SLOWNO22'))
    const second = sweep.run(50)
    await expect.poll(() => seen.toSorted().slice(0, 3)).toEqual(['FASTNO22', 'FASTNO22', 'SLOWNO22'])
    expect(await sweep.run(50)).toBe(0)
    expect(seen.filter((bic) => bic === 'SLOWNO22')).toHaveLength(4)
    held.resolve()
    expect([await first, await second]).toEqual([3, 3])
  })

  it('has a few slots for each bank even while other banks use all', async () => {
    for (const bic of ['SLOWNO22', 'SLOWSESS']) {
      await wait(bic, 5, -60)
    }
    await wait('FASTNO22', 5, -1)
    const held = Promise.withResolvers<void>()
    const { seen, seeTo } = seeingTo(held.promise)
    const sweep = dueRowSweep(context(), rows, seeTo, { perPartition: 5, perPartitionMin: 2, together: 10 })
    const slow = sweep.run(10)
    await expect.poll(() => seen.length).toBe(10)
    expect([await sweep.run(10), await sweep.run(10), await sweep.run(10), await sweep.run(10)]).toEqual([2, 2, 1, 0])
    held.resolve()
    expect(await slow).toBe(10)
  })

  it('processes other banks at once although rows of a bank that hangs become due one after the other', async () => {
    const held = Promise.withResolvers<void>()
    const { seen, seeTo } = seeingTo(held.promise)
    const running = startSweeps([dueRowSweep(context(), rows, seeTo)], context())
    const waits: number[] = []
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await wait('SLOWNO22', 1, 0)
      await expect.poll(() => count(seen, 'SLOWNO22'), { interval: 10 }).toBe(turn)
      const began = clock.real()
      await wait('FASTNO22', 1, 0)
      await expect.poll(() => count(seen, 'FASTNO22'), { interval: 10 }).toBe(turn)
      waits.push(clock.real().since(began).total('milliseconds'))
    }
    held.resolve()
    await running.stop()
    expect(waits.toSorted((one, other) => one - other)[Math.floor(TURNS * 0.9)]).toBeLessThan(500)
  })

  it('stops only when what hangs has ended', async () => {
    await wait('SLOWNO22', 3, -1)
    const held = Promise.withResolvers<void>()
    const { seen, seeTo } = seeingTo(held.promise)
    const running = startSweeps([dueRowSweep(context(), rows, seeTo)], context())
    await expect.poll(() => seen.length).toBe(3)
    let isStopped = false
    const stopping = running.stop().then(() => {
      isStopped = true
    })
    await database.pool.query('select 1')
    expect(isStopped).toBe(false)
    held.resolve()
    await stopping
  })
})
