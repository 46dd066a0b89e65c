/** Guarantees of sweeps over due rows: order, leases, and places that a slow bank leaves to the others. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../testing/fresh-database.ts'
import { movableClock } from './clock.ts'
import { type Database, openDatabase } from './database/database.ts'
import { dueSweep, type RowKey } from './due-sweep.ts'
import { newId } from './ids.ts'

let fresh: FreshDatabase
let database: Database<unknown>
const clock = movableClock()
const rows = {
  name: 'test',
  table: 'waiting',
  column: 'due_at',
  share: 'bic',
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
beforeEach(() => database.pool.query('truncate waiting'))

async function wait(bic: string, count: number, dueSeconds: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const dueAt = clock.now().add({ seconds: dueSeconds })
    await database.pool.query('insert into waiting values ($1, $2, $3, $4)', [newId(), newId(), bic, dueAt.toString()])
  }
}

async function finish({ id }: RowKey): Promise<void> {
  await database.pool.query('update waiting set due_at = null where id = $1', [id])
}

describe('a sweep over due rows', () => {
  it('tells when the next one falls due, and sees to none before', async () => {
    await wait('SLOWNO22', 1, 60)
    const sweep = dueSweep({ database, clock }, rows, finish)
    expect((await sweep.nextDue())?.epochMilliseconds).toBeGreaterThan(clock.now().epochMilliseconds)
    expect(await sweep.run(10)).toBe(0)
  })

  it('claims none that another worker has a lease on', async () => {
    await wait('SLOWNO22', 3, -1)
    const held = Promise.withResolvers<void>()
    const first = dueSweep({ database, clock }, rows, () => held.promise).run(10)
    const other = dueSweep({ database, clock }, rows, finish)
    await expect.poll(() => other.run(10)).toBe(0)
    held.resolve()
    expect(await first).toBe(3)
  })

  it('leaves places to other banks while one holds its own up', async () => {
    await wait('SLOWNO22', 120, -60)
    await wait('FASTNO22', 5, -1)
    const held = Promise.withResolvers<void>()
    const seen: string[] = []
    const sweep = dueSweep({ database, clock }, rows, async (key) => {
      const { rows: found } = await database.pool.query<{ bic: string }>('select bic from waiting where id = $1', [
        key.id,
      ])
      const bic = found[0]?.bic ?? ''
      seen.push(bic)
      await (bic === 'SLOWNO22' ? held.promise : finish(key))
    })
    const slow = sweep.run(50)
    await expect.poll(() => seen.length).toBe(50)
    expect(await sweep.run(50)).toBe(5)
    expect(seen.slice(50)).toEqual(Array.from({ length: 5 }, () => 'FASTNO22'))
    held.resolve()
    expect(await slow).toBe(50)
  })
})
