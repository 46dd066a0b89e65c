/** Tests that the due dates of examples are no weekends, on whatever day they are tried. */
import { expect, test } from 'vitest'
import { dayFromToday } from './day-from-today.mjs'

test.each([
  ['2026-11-25T23:59:59Z', 2, '2026-11-27'],
  ['2026-11-26T00:00:00Z', 2, '2026-11-30'],
  ['2026-11-27T12:00:00Z', 2, '2026-11-30'],
  ['2026-12-31T22:30:00Z', 2, '2027-01-04'],
  ['2026-11-28T12:00:00Z', 0, '2026-11-28'],
  ['2027-03-28T00:30:00Z', -30, '2027-02-26'],
])('from %s, %i days later is %s', (now, offset, day) => {
  expect(dayFromToday(Temporal.Instant.from(now).epochMilliseconds, offset)).toBe(day)
})
