/** Shows what is read from `Retry-After`. */
import { expect, test } from 'vitest'
import { readRetryAfter } from './response-parser.ts'

const DATE = 'Sat, 28 Nov 2026 21:00:00 GMT'

test('Retry-After is seconds or a date, at most a day, or nothing', () => {
  const rows: readonly [string, number | null, string | null][] = [
    ['120', 120, null],
    [' 120 ', 120, null],
    ['0', 0, null],
    ['1.5', 2, null],
    ['30, 120', 120, null],
    ['Sat, 28 Nov 2026 21:02:00 GMT', 120, null],
    ['Saturday, 28-Nov-26 21:02:00 GMT', 120, null],
    ['Sat Nov 28 21:02:00 2026', 120, null],
    ['Sat, 28 Nov 2026 22:02:00 +0100', 120, null],
    ['Sat, 28 Nov 2026 20:00:00 GMT', null, null],
    ['', null, null],
    ['soon', null, 'unreadable'],
    ['-5', null, 'unreadable'],
    ['60s', null, 'unreadable'],
    ['Sat, 99 Xyz 2026 21:02:00 GMT', null, 'unreadable'],
    ['86401', 86_400, 'longer than a day'],
    ['9'.repeat(400), 86_400, 'longer than a day'],
    ['Thu, 01 Jan 2099 00:00:00 GMT', 86_400, 'longer than a day'],
  ]
  const read = rows.map(([text]) => ({ text, ...readRetryAfter({ date: DATE, 'retry-after': text }) }))
  expect(read).toEqual(rows.map(([text, seconds, fault]) => ({ text, seconds, fault })))
})
