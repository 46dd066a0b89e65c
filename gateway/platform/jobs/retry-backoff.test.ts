/** Tests the retry backoff: never at once, never later than the limit, and few attempts in a long outage. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { nextAttemptAt, retryDelayOf } from './retry-backoff.ts'

const SINCE = Temporal.Instant.from('2026-06-15T12:00:00Z')
const delay = { leastSeconds: 10, mostSeconds: 3600 }
const DAY_SECONDS = 86_400

function waits(silentSeconds: number): number {
  const now = SINCE.add({ seconds: silentSeconds })
  return nextAttemptAt(SINCE, now, delay).since(now).total('seconds')
}

describe('nextAttemptAt', () => {
  it('waits between its two limits, also when a clock was set back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -DAY_SECONDS, max: 400 * DAY_SECONDS }), (silent) => {
        expect(waits(silent)).toBeGreaterThanOrEqual(delay.leastSeconds)
        expect(waits(silent)).toBeLessThanOrEqual(delay.mostSeconds)
      }),
    )
  })

  it('polls again within a tenth of the outage so far, once that exceeds the minimum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 400 * DAY_SECONDS }), (silent) => {
        expect(waits(silent)).toBeLessThanOrEqual(silent / 10)
      }),
    )
  })

  it('makes fewer than a hundred attempts in a day of outage', () => {
    let attempts = 0
    for (let silent = 0; silent < DAY_SECONDS; silent += waits(silent)) {
      attempts += 1
    }
    expect(attempts).toBeLessThan(100)
  })
})

test('a failing row waits twice as long after each failure, up to an hour', () => {
  const delays = Array.from({ length: 9 }, (_, index) => retryDelayOf(index + 1).seconds)
  expect(delays).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
  expect(retryDelayOf(100_000).seconds).toBe(3_600)
})
