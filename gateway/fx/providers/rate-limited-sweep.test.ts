/** Tests that all processes share the rate of cancelling deals, and that unused permits are released. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { rateLimitedSweep } from '../jobs.ts'
import { type FxFixture, openFxFixture } from '../testing/fx-fixture.ts'

let fixture: FxFixture
beforeAll(async () => {
  fixture = await openFxFixture()
})
afterAll(() => fixture.close())

/** A sweep with so many due rows, which counts the claimed ones. */
function rows(due: number) {
  const claimed = { count: 0, due }
  const begin = async (limit: number) => {
    const taken = Math.min(limit, claimed.due)
    claimed.count += taken
    claimed.due -= taken
    return Array.from({ length: taken }, async () => undefined)
  }
  const nextDue = async () => (claimed.due > 0 ? fixture.clock.now() : null)
  const run = async (limit: number) => (await begin(limit)).length
  const sweep: Sweep & Required<Pick<Sweep, 'begin'>> = { name: 'rows', time: 'business', nextDue, begin, run }
  return { claimed, sweep }
}

/** Wall time that the test sets. */
function wall(milliseconds: { now: number }) {
  return { ...fixture.clock, real: () => Temporal.Instant.fromEpochMilliseconds(milliseconds.now) }
}

const PACE = { everyMilliseconds: 100, atOnce: 20 }
const START = Date.UTC(2026, 2, 2)

it('lets two processes together claim no more than the rate permits in any second, and all in time', async () => {
  const time = { now: START }
  const { claimed, sweep } = rows(200)
  const around = { database: fixture.context.database, clock: wall(time) }
  const processes = [1, 2].map(() => rateLimitedSweep(around, { name: 'both', pace: PACE }, sweep))
  const bySecond: number[] = []
  for (let second = 0; second < 25; second += 1) {
    const before = claimed.count
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await Promise.all(processes.map((each) => each.run(50)))
      time.now += 250
    }
    bySecond.push(claimed.count - before)
  }
  expect(bySecond[0]).toBeLessThanOrEqual(30)
  expect(Math.max(...bySecond.slice(1))).toBeLessThanOrEqual(11)
  expect(claimed).toEqual({ count: 200, due: 0 })
  expect(bySecond.findIndex((_count, second) => bySecond.slice(second).every((rest) => rest === 0))).toBeLessThan(20)
})

it('uses up nothing for what it does not find', async () => {
  const time = { now: START }
  const around = { database: fixture.context.database, clock: wall(time) }
  for (let round = 0; round < 30; round += 1) {
    const { sweep } = rows(1)
    await rateLimitedSweep(around, { name: 'few', pace: PACE }, sweep).run(50)
    time.now += 100
  }
  const { claimed, sweep } = rows(100)
  await rateLimitedSweep(around, { name: 'few', pace: PACE }, sweep).run(50)
  expect(claimed.count).toBe(20)
})
