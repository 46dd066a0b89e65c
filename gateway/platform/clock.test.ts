/** Tests the clock: business time moves, wall time does not, days are those of a time zone, and waits end. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { movableClock, wallMilliseconds } from './clock.ts'
import { parseEndParameter, parseTimeParameter } from './http/parse-time-parameter.ts'
import { waitUntil } from './wait-until.ts'

const NOON = '2026-06-15T12:00:00Z'
const TEN_YEARS_MILLISECONDS = 10 * 366 * 24 * 3600 * 1000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOON) }))
afterEach(() => void vi.useRealTimers())

describe('movableClock', () => {
  it('starts in step with wall time', () => {
    const clock = movableClock()
    expect([clock.now(), clock.real()].map(String)).toEqual(['2026-06-15T12:00:00Z', '2026-06-15T12:00:00Z'])
    expect(clock.offsetMilliseconds()).toBe(0)
  })

  it('moves business time by exactly the offset and leaves wall time unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: -TEN_YEARS_MILLISECONDS, max: TEN_YEARS_MILLISECONDS }), (offset) => {
        const clock = movableClock()
        clock.setOffset(offset)
        expect(clock.now().epochMilliseconds - clock.real().epochMilliseconds).toBe(offset)
        expect(clock.real().epochMilliseconds).toBe(wallMilliseconds())
        expect(clock.offsetMilliseconds()).toBe(offset)
      }),
    )
  })

  it('continues with wall time after it was moved', () => {
    const clock = movableClock()
    clock.setOffset(3_600_000)
    vi.setSystemTime(new Date('2026-06-15T12:00:01Z'))
    expect(clock.now().toString()).toBe('2026-06-15T13:00:01Z')
  })

  it('has a resolution of milliseconds, which a database stores exactly', () => {
    expect(movableClock().now().epochNanoseconds % 1_000_000n).toBe(0n)
  })

  it.each([
    ['2026-06-15T21:59:59Z', 'Europe/Oslo', '2026-06-15'],
    ['2026-06-15T22:00:00Z', 'Europe/Oslo', '2026-06-16'],
    ['2026-12-15T22:30:00Z', 'Europe/Oslo', '2026-12-15'],
    ['2026-12-15T22:30:00Z', 'Europe/Helsinki', '2026-12-16'],
  ])('for %s in %s returns the date %s', (at, zone, day) => {
    const clock = movableClock()
    clock.setOffset(Temporal.Instant.from(at).epochMilliseconds - wallMilliseconds())
    expect(clock.today(zone).toString()).toBe(day)
  })
})

it('that is put back does not lengthen a wait', async () => {
  const read = async () => void vi.setSystemTime(new Date('2026-06-15T11:00:00Z'))
  const waiting = { withinMilliseconds: 20, everyMilliseconds: 1 }
  expect(await waitUntil(read, () => false, waiting)).toBe(undefined)
})

it('reads a time of a request, which is an instant in any form of RFC 3339, or a day; a local time is neither', () => {
  const instants = {
    '2026-11-23': '2026-11-22T23:00:00Z',
    '2026-11-23T10:00:00+01:00': '2026-11-23T09:00:00Z',
    '2026-11-23 10:00:00+01:00': '2026-11-23T09:00:00Z',
    '2026-11-23t10:00:00z': '2026-11-23T10:00:00Z',
    '2026-11-23T10:00:00': undefined,
    '2026-11-23 10:00': undefined,
    // What partners write for no beginning and no end.
    '0001-01-01': '0001-01-02T00:00:00Z',
    '9999-12-31': '9999-12-30T00:00:00Z',
    '9999-12-31T23:59:59+01:00': '9999-12-30T00:00:00Z',
  }
  const texts = Object.keys(instants)
  expect(texts.map((text) => parseTimeParameter(text, 'Europe/Oslo')?.toString())).toEqual(Object.values(instants))
  expect(parseEndParameter('2026-11-23 10:00:00+01:00', 'Europe/Oslo')?.toString()).toBe('2026-11-23T09:00:00Z')
})
