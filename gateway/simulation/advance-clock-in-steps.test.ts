/** Tests where a moved clock stops: as rarely as tolerated, and never so that a poll finds a later event. */
import { expect, test } from 'vitest'
import { type MovableSweep, nextStop } from './advance-clock-in-steps.ts'

const START = Temporal.Instant.from('2026-11-23T07:00:00Z')
const at = (seconds: number) => START.add({ milliseconds: seconds * 1000 })

function sweep(tolerances: Pick<MovableSweep, 'toleranceMilliseconds' | 'everyMilliseconds'>): MovableSweep {
  return { name: 'rows', time: 'business', nextDue: async () => null, run: async () => 0, ...tolerances }
}
const strict = sweep({})
const unhurried = sweep({ everyMilliseconds: 10_000 })
const tolerant = sweep({ toleranceMilliseconds: 900_000 })

test.each<[string, readonly [MovableSweep, number][], number | null, number | null]>([
  ['nowhere without anything due', [], null, null],
  ['nowhere when all that is due comes after the target', [[strict, 7_201]], 7_202, null],
  ['as late as a round of workers may run', [[strict, 60]], null, 60.25],
  ['as late as the sweep itself polls', [[unhurried, 60]], null, 70],
  ['later by half of the quiet time before it where that is tolerated', [[tolerant, 600]], null, 900],
  ['a minute later at least where that is tolerated', [[tolerant, 10]], null, 70],
  ['as late as the sweep tolerates at most', [[tolerant, 6_000]], null, 6_900],
  [
    'not later than another sweep tolerates',
    [
      [tolerant, 290],
      [strict, 300],
    ],
    null,
    300.25,
  ],
  ['not later than the target', [[tolerant, 7_000]], null, 7_200],
  ['just before an event outside, for what is due before it', [[tolerant, 290]], 300, 299],
  ['at an event outside when nothing is due before it', [[tolerant, 400]], 300, 300.25],
  ['at an event outside together with what is due at nearly the same time', [[tolerant, 299.5]], 300, 300.25],
])('it stops %s', (_where, dues, outside, stop) => {
  const bySweep = new Map(dues.map(([due, seconds]) => [due, at(seconds)]))
  const found = nextStop(
    { bySweep, outside: outside === null ? null : at(outside) },
    { quietSince: START, target: at(7_200) },
  )
  expect(found?.toString()).toBe(stop === null ? undefined : at(stop).toString())
})
