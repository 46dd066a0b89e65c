/** Tests the clock that all processes share: loops that read it together send few statements, and none lags behind. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { movableClock } from '../clock.ts'
import { createSharedClockReader, readClock, resetBusinessTime, setBusinessTime } from './business-clock-store.ts'
import { type Database, openDatabase } from './database.ts'

/** Longer than a busy machine takes from one call to the next. */
const MINUTE_MILLISECONDS = 60_000

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 4 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

test('concurrent callers share one read of the clock', async () => {
  const read = createSharedClockReader(database, movableClock(), MINUTE_MILLISECONDS)
  const first = read()
  expect(read()).toBe(first)
  await first
})

test('a change by another process is read within moments, forwards and back', async () => {
  const [others, ours] = [movableClock(), movableClock()]
  const read = createSharedClockReader(database, ours)
  await read()
  await setBusinessTime(database, others, others.real().add({ hours: 24 }))
  await eventually(async () => {
    await read()
    expect(ours.offsetMilliseconds()).toBe(others.offsetMilliseconds())
  })
  await resetBusinessTime(database, others)
  await eventually(async () => {
    await read()
    expect(ours.offsetMilliseconds()).toBe(0)
  })
})

test('a read that is answered after a move does not turn the clock back', async () => {
  const clock = movableClock()
  const [read, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pool = new Proxy(database.pool, {
    get: (target, name) =>
      name === 'query'
        ? async (statement: string) => {
            const result = await target.query(statement)
            read.resolve()
            await answer.promise
            return result
          }
        : Reflect.get(target, name),
  })
  const late = readClock({ ...database, pool }, clock)
  await read.promise
  await setBusinessTime(database, clock, clock.real().add({ hours: 24 }))
  const moved = clock.offsetMilliseconds()
  expect(moved).toBeGreaterThan(0)
  answer.resolve()
  await late
  expect(clock.offsetMilliseconds()).toBe(moved)
  await resetBusinessTime(database, clock)
})

test('a failed read fails for all who shared it, and the next one is retried', async () => {
  const nowhere = { connectionString: 'postgres://127.0.0.1:1/nowhere', applicationName: 'test', connectionsMax: 1 }
  const unreachable = openDatabase<unknown>(nowhere)
  const read = createSharedClockReader(unreachable, movableClock())
  const first = read()
  await expect(first).rejects.toThrow()
  await eventually(() => {
    const next = read()
    next.catch(() => undefined)
    expect(next).not.toBe(first)
  })
  await unreachable.close()
})
