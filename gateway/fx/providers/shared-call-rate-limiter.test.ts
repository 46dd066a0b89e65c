/** Tests that several processes on one database share the provider's rate limits. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { openLocalCallRateLimiter } from '../testing/local-call-rate-limiter.ts'
import { type CallPriority, type CallRateLimiter, openSharedCallRateLimiter } from './call-rate-limiter.ts'
import { FxProviderError } from './fx-provider-error.ts'

let fresh: FreshDatabase
let database: Database<unknown>
let provider = 0
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase({ connectionString, applicationName: 'test', connectionsMax: 8 })
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})

/** Rate limiters as several processes would open them, for a provider without calls so far. */
function processes(count: number, clock: { now: number }, waits: number[] = []): readonly CallRateLimiter[] {
  provider += 1
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  return Array.from({ length: count }, () =>
    openSharedCallRateLimiter(database, `provider ${provider}`, { now: () => clock.now, wait }),
  )
}

/** Whether a call was permitted, and after which wait, or when it may be retried. */
async function outcome(
  rateLimiter: CallRateLimiter,
  perMinute: number,
  urgency: CallPriority,
  waits: readonly number[],
) {
  const before = waits.length
  try {
    await rateLimiter.acquire([{ name: 'calls', perMinute }], urgency)
    return { waits: Math.round((waits[before] ?? 0) * 1000) }
  } catch (error) {
    return { rejected: error instanceof FxProviderError ? error.retryAfterSeconds : error }
  }
}

test('two processes are limited exactly like one', async () => {
  const urgency = fc.constantFrom<CallPriority>('urgent', 'patient')
  const calls = fc.array(fc.record({ after: fc.nat({ max: 4_000 }), urgency, by: fc.nat({ max: 1 }) }), {
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 60 }), calls, async (perMinute, requested) => {
      const clock = { now: 1_790_000_000_000 }
      const [waits, ownWaits]: [number[], number[]] = [[], []]
      const shared = processes(2, clock, waits)
      const own = openLocalCallRateLimiter({ now: () => clock.now, wait: async (each) => void ownWaits.push(each) })
      for (const { after, urgency: each, by } of requested) {
        clock.now += after
        const reported = await outcome(shared[by] ?? own, perMinute, each, waits)
        expect(reported).toEqual(await outcome(own, perMinute, each, ownWaits))
      }
    }),
    { numRuns: randomCases(200) },
  )
})

test('concurrent calls from many processes do not exceed the limit', async () => {
  const all = processes(8, { now: 1_790_000_000_000 })
  const requested = all.flatMap((rateLimiter) =>
    Array.from({ length: 25 }, () => rateLimiter.acquire([{ name: 'calls', perMinute: 100 }], 'urgent')),
  )
  const made = (await Promise.allSettled(requested)).filter(({ status }) => status === 'fulfilled')
  // Of a share of 70 a burst of 14, and what fits into the five seconds that a user waits.
  expect(made).toHaveLength(18)
})

test('user calls at all processes leave jobs their share', async () => {
  const all = processes(4, { now: 1_790_000_000_000 })
  const limits = [{ name: 'calls', perMinute: 100 }]
  const madeBy = async (urgency: CallPriority) => {
    const requested = all.flatMap((rateLimiter) =>
      Array.from({ length: 25 }, () => rateLimiter.acquire(limits, urgency)),
    )
    return (await Promise.allSettled(requested)).filter(({ status }) => status === 'fulfilled').length
  }
  await madeBy('urgent')
  expect(await madeBy('patient')).toBe(6)
})

test('a pause reported to one process applies to all, and only for that limit', async () => {
  const clock = { now: 1_790_000_000_000 }
  const [one, other] = processes(2, clock)
  const calls = [{ name: 'calls', perMinute: 100 }]
  await one?.pause(calls, 60)
  await one?.pause(calls, 1)
  for (const urgency of ['urgent', 'patient'] as const) {
    await expect(other?.acquire(calls, urgency)).rejects.toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 60 })
  }
  await other?.acquire([{ name: 'logins', perMinute: 60 }], 'urgent')
  clock.now += 60_000
  await other?.acquire(calls, 'urgent')
})
