/** Shows that no minute, wherever it begins, holds more calls than a limit allows, and that people go before jobs. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openOwnBudget, type Urgency } from './call-budget.ts'
import { FxRefusal } from './fx-refusal.ts'

const MINUTE = 60_000

/** Calls at the given distances: when each was let through, or how long it would have had to wait. */
async function play(perMinute: number, calls: readonly { readonly after: number; readonly urgency: Urgency }[]) {
  let now = 0
  const begun: number[] = []
  const refused: number[] = []
  for (const { after, urgency } of calls) {
    now += after
    const at = now
    let waits = 0
    const budget =
      budgets.get(perMinute) ?? openOwnBudget({ now: () => clock.now, wait: async (each) => clock.wait(each) })
    budgets.set(perMinute, budget)
    clock.now = at
    clock.wait = (each) => {
      waits = each
    }
    await budget.take([{ name: 'calls', perMinute }], urgency).then(
      () => begun.push(at + waits),
      (error: unknown) => refused.push(error instanceof FxRefusal ? (error.retryAfterSeconds ?? 0) : -1),
    )
  }
  budgets.clear()
  return { begun, refused }
}
const budgets = new Map<number, ReturnType<typeof openOwnBudget>>()
const clock = { now: 0, wait: (_: number): void => undefined }

const urgency = fc.constantFrom<Urgency>('urgent', 'patient')

test('no minute holds more than the limit, and who is refused is told a time', async () => {
  const calls = fc.array(fc.record({ after: fc.nat({ max: 5_000 }), urgency }), { maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 600 }), calls, async (perMinute, asked) => {
      const { begun, refused } = await play(perMinute, asked)
      const sorted = begun.toSorted((one, other) => one - other)
      for (const [index, begins] of sorted.entries()) {
        const inMinute = sorted.slice(index).filter((other) => other < begins + MINUTE)
        expect(inMinute.length).toBeLessThanOrEqual(perMinute)
      }
      expect(refused.every((seconds) => seconds >= 1)).toBe(true)
    }),
  )
})

test('a limit is used: whoever keeps asking gets four fifths of it and more', async () => {
  const calls = Array.from({ length: 6_000 }, () => ({ after: 20, urgency: 'urgent' as const }))
  const { begun } = await play(500, calls)
  expect(begun.length).toBeGreaterThan(500 * 2 * 0.8)
})

test('jobs leave half of a burst to people', async () => {
  const budget = openOwnBudget({ now: () => 0, wait: async () => undefined })
  const limit = [{ name: 'calls', perMinute: 600 }]
  const counted = async (each: Urgency) => {
    let made = 0
    while (made < 1_000) {
      try {
        await budget.take(limit, each)
        made += 1
      } catch {
        return made
      }
    }
    return made
  }
  const [ofJobs, ofPeople] = [await counted('patient'), await counted('urgent')]
  expect(ofJobs).toBeLessThan(75)
  expect(ofPeople).toBeGreaterThan(60)
})

test('a call of two kinds waits for both, and takes nothing of either when it is refused', async () => {
  const budget = openOwnBudget({ now: () => 0, wait: async () => undefined })
  const [narrow, wide] = [
    { name: 'rates', perMinute: 2 },
    { name: 'calls', perMinute: 600 },
  ]
  await budget.take([wide, narrow], 'urgent')
  for (let times = 0; times < 200; times += 1) {
    await budget.take([wide, narrow], 'urgent').catch(() => undefined)
  }
  await Promise.all(Array.from({ length: 100 }, () => budget.take([wide], 'urgent')))
})

test('a pause never makes a limit come sooner', async () => {
  const now = { at: 0 }
  const budget = openOwnBudget({ now: () => now.at, wait: async () => undefined })
  const limits = [{ name: 'calls', perMinute: 100 }]
  await budget.pause(limits, 60)
  await budget.pause(limits, 1)
  now.at = 50_000
  await expect(budget.take(limits, 'urgent')).rejects.toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 10 })
  now.at = 60_000
  await budget.take(limits, 'urgent')
})
