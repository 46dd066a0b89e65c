/** Tests that no 60 seconds contain more calls than the limit, and that neither users nor jobs starve. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openLocalCallRateLimiter } from '../testing/local-call-rate-limiter.ts'
import type { CallPriority } from './call-rate-limiter.ts'
import { FxProviderError } from './fx-provider-error.ts'

const MINUTE = 60_000
const SHARE_OF_URGENT = 0.7
const SHARE_OF_PATIENT = 0.3
/** The part of a share that is spread evenly, and not available at once. */
const EVENLY = 0.8

type Requested = { readonly after: number; readonly urgency: CallPriority }

/** Calls at the given distances: when each was let through, or how long it would have had to wait. */
async function play(perMinute: number, calls: readonly Requested[]) {
  let now = 0
  const begun: { readonly at: number; readonly waits: number; readonly urgency: CallPriority }[] = []
  const rejected: number[] = []
  for (const { after, urgency } of calls) {
    now += after
    const at = now
    let waits = 0
    const rateLimiter =
      rateLimiters.get(perMinute) ??
      openLocalCallRateLimiter({ now: () => clock.now, wait: async (each) => clock.wait(each) })
    rateLimiters.set(perMinute, rateLimiter)
    clock.now = at
    clock.wait = (each) => {
      waits = each
    }
    await rateLimiter.acquire([{ name: 'calls', perMinute }], urgency).then(
      () => begun.push({ at: at + waits, waits, urgency }),
      (error: unknown) => rejected.push(error instanceof FxProviderError ? (error.retryAfterSeconds ?? 0) : -1),
    )
  }
  rateLimiters.clear()
  return { begun, rejected }
}
const rateLimiters = new Map<number, ReturnType<typeof openLocalCallRateLimiter>>()
const clock = { now: 0, wait: (_: number): void => undefined }

/** The most calls of any minute, wherever it starts. */
function mostInMinute(begun: readonly { readonly at: number }[]): number {
  const times = begun.map(({ at }) => at).toSorted((one, other) => one - other)
  let [most, first] = [0, 0]
  for (const [last, at] of times.entries()) {
    while ((times[first] ?? at) <= at - MINUTE) {
      first += 1
    }
    most = Math.max(most, last - first + 1)
  }
  return most
}

const urgency = fc.constantFrom<CallPriority>('urgent', 'patient')

test('no minute exceeds the limit, and a rejected call gets a time to retry', async () => {
  const after = fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 50 }))
  const calls = fc.array(fc.record({ after, urgency }), { maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 600 }), calls, async (perMinute, requested) => {
      const { begun, rejected } = await play(perMinute, requested)
      expect(mostInMinute(begun)).toBeLessThanOrEqual(perMinute)
      expect(rejected.every((seconds) => seconds >= 1)).toBe(true)
    }),
  )
})

test('evenly spaced jobs get their share at once, however many users call, and users get no more than theirs', async () => {
  const crowds = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 300 }), crowds, async (perMinute, crowd) => {
      const share = Math.floor(Math.floor(perMinute * SHARE_OF_PATIENT) * EVENLY)
      const requested = Array.from({ length: share * 2 }, (_, index): readonly Requested[] => {
        const ahead = crowd[index % crowd.length] ?? 0
        const after = MINUTE / share / (ahead + 1)
        return [
          ...Array.from({ length: ahead }, () => ({ after, urgency: 'urgent' as const })),
          { after, urgency: 'patient' },
        ]
      }).flat()
      const { begun } = await play(perMinute, requested)
      const ofJobs = begun.filter((each) => each.urgency === 'patient')
      expect(ofJobs).toHaveLength(share * 2)
      expect(Math.max(...ofJobs.map(({ waits }) => waits))).toBeLessThan(1)
      const ofPeople = begun.filter((each) => each.urgency === 'urgent')
      expect(mostInMinute(ofPeople)).toBeLessThanOrEqual(Math.ceil(perMinute * SHARE_OF_URGENT))
      expect(mostInMinute(begun)).toBeLessThanOrEqual(perMinute)
    }),
  )
})

test('a limit is fully used: users who keep calling get four fifths and more, and jobs the remainder', async () => {
  const calls = (each: CallPriority) => Array.from({ length: 6_000 }, () => ({ after: 20, urgency: each }))
  const [ofPeople, ofJobs] = [await play(500, calls('urgent')), await play(500, calls('patient'))]
  expect(ofPeople.begun.length).toBeGreaterThan(500 * 2 * EVENLY * SHARE_OF_URGENT)
  expect(ofJobs.begun.length).toBeGreaterThan(500 * 2 * EVENLY)
})

test('jobs leave half of their burst to users', async () => {
  const rateLimiter = openLocalCallRateLimiter({ now: () => 0, wait: async () => undefined })
  const limit = [{ name: 'calls', perMinute: 600 }]
  const counted = async (each: CallPriority) => {
    let made = 0
    while (made < 1_000) {
      try {
        await rateLimiter.acquire(limit, each)
        made += 1
      } catch {
        return made
      }
    }
    return made
  }
  const [ofJobs, ofPeople] = [await counted('patient'), await counted('urgent')]
  expect(ofJobs).toBeLessThan(90)
  expect(ofPeople).toBeGreaterThan(60)
})

test('a call of two kinds waits for both limits, and uses up neither when it is rejected', async () => {
  const rateLimiter = openLocalCallRateLimiter({ now: () => 0, wait: async () => undefined })
  const [narrow, wide] = [
    { name: 'rates', perMinute: 2 },
    { name: 'calls', perMinute: 900 },
  ]
  await rateLimiter.acquire([wide, narrow], 'urgent')
  for (let times = 0; times < 200; times += 1) {
    await rateLimiter.acquire([wide, narrow], 'urgent').catch(() => undefined)
  }
  await Promise.all(Array.from({ length: 100 }, () => rateLimiter.acquire([wide], 'urgent')))
})

test('a pause never shortens the wait for a limit', async () => {
  const now = { at: 0 }
  const rateLimiter = openLocalCallRateLimiter({ now: () => now.at, wait: async () => undefined })
  const limits = [{ name: 'calls', perMinute: 100 }]
  await rateLimiter.pause(limits, 60)
  await rateLimiter.pause(limits, 1)
  now.at = 50_000
  for (const each of ['urgent', 'patient'] as const) {
    await expect(rateLimiter.acquire(limits, each)).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfterSeconds: 10,
    })
  }
  now.at = 60_000
  await rateLimiter.acquire(limits, 'urgent')
})
