/** Guarantees of the schedule of reads: quick after signing, ever slower, rare once final, and then never again. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextPoll, type Polled } from './poll-schedule.ts'

const NOW = Temporal.Instant.from('2026-06-15T12:00:00Z')
const DAY_SECONDS = 86_400
const open = { status: 'InProgress', signed: true, pollStep: 0, finalSince: null } as const

function secondsTo(polled: Polled): number | null {
  return nextPoll(polled, NOW)?.since(NOW).total('seconds') ?? null
}

function delays(polled: Polled, steps: number): (number | null)[] {
  return Array.from({ length: steps }, (_, pollStep) => secondsTo({ ...polled, pollStep }))
}

describe('nextPoll', () => {
  it('reads a signed payment after one second, and within ten minutes of signing some twelve times', () => {
    const all = delays(open, 40).map(Number)
    expect(all[0]).toBe(1)
    let elapsed = 0
    const inTime = all.filter((delay) => {
      elapsed += delay
      return elapsed <= 600
    })
    expect(inTime.length).toBeGreaterThanOrEqual(10)
    expect(inTime.length).toBeLessThanOrEqual(15)
  })

  it.each([
    ['signed', open],
    ['unsigned', { ...open, status: 'Unsigned', signed: false }],
    ['final', { ...open, status: 'Completed', finalSince: NOW }],
  ] as const)('never reads a %s payment sooner than the time before, up to hours', (_name, polled) => {
    const all = delays(polled, 40).map(Number)
    expect(all.toSorted((one, other) => one - other)).toEqual(all)
    expect(all.at(-1)).toBeGreaterThanOrEqual(3600)
    expect(all.at(-1)).toBeLessThanOrEqual(DAY_SECONDS)
  })

  it('goes on for as long as a payment is open, however often it was read', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('Unsigned', 'CustomerActionRequired', 'InProgress'),
        fc.boolean(),
        fc.nat({ max: 1_000_000 }),
        (status, signed, pollStep) => {
          expect(secondsTo({ status, signed, pollStep, finalSince: null })).toBeGreaterThan(0)
        },
      ),
    )
  })

  it.each(['Completed', 'Rejected', 'Cancelled'] as const)(
    'watches %s for ten bank days, then never again',
    (status) => {
      const since = (days: number) => NOW.subtract({ hours: 24 * days })
      expect(secondsTo({ ...open, status, finalSince: null })).toBe(3600)
      expect(secondsTo({ ...open, status, pollStep: 99, finalSince: since(14) })).toBe(DAY_SECONDS)
      expect(secondsTo({ ...open, status, pollStep: 99, finalSince: since(16) })).toBeNull()
      expect(secondsTo({ ...open, status, pollStep: 0, finalSince: since(17) })).toBeNull()
    },
  )
})
