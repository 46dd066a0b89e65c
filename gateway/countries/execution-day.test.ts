/** Tests execution days: bank days and cut-off times. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { executionDay } from '../../sandbox/bank/bank-calendar.ts'
import { loadDemoFixture } from '../../sandbox/bank/load-fixture.ts'
import { randomCases } from '../../setup/random-cases.ts'
import { calendarOf, cutOffFor, executionDayOf, isBankDay } from './bank-days.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const at = (text: string) => Temporal.PlainDateTime.from(text)
const AT_TWO = { localTime: '14:00', bankDaysBefore: 0 }
const EVENING_BEFORE = { localTime: '19:00', bankDaysBefore: 1 }
const TWO_EVENINGS_BEFORE = { localTime: '19:00', bankDaysBefore: 2 }

describe('cut-offs', () => {
  test.each([
    ['NO', AT_TWO, '2026-11-23', '2026-11-23T14:00:00'],
    ['SE', EVENING_BEFORE, '2026-11-23', '2026-11-20T19:00:00'],
    ['SE', TWO_EVENINGS_BEFORE, '2026-12-28', '2026-12-22T19:00:00'],
    ['DK', { localTime: '18:00', bankDaysBefore: 1 }, '2026-05-18', '2026-05-13T18:00:00'],
  ] as const)('%s %o for %s is %s', (country, cutOff, date, moment) => {
    expect(cutOffFor(country, cutOff, day(date)).toString()).toBe(moment)
  })
})

describe('an order', () => {
  test.each([
    ['in time', 'NO', AT_TWO, '2026-11-23', '2026-11-23T14:00', '2026-11-23', 'no'],
    ['a minute late', 'NO', AT_TWO, '2026-11-23', '2026-11-23T14:01', '2026-11-24', 'late'],
    ['late on a Friday', 'NO', AT_TWO, '2026-11-20', '2026-11-20T16:00', '2026-11-23', 'late'],
    ['due on a Saturday', 'NO', AT_TWO, '2026-11-21', '2026-11-20T09:00', '2026-11-23', 'closed'],
    ['due on a Sunday, signed late on Monday', 'NO', AT_TWO, '2026-11-22', '2026-11-23T18:00', '2026-11-24', 'late'],
    ['due on Maundy Thursday in Norway', 'NO', AT_TWO, '2026-04-02', '2026-04-01T09:00', '2026-04-07', 'closed'],
    ['due on Maundy Thursday in Sweden', 'SE', AT_TWO, '2026-04-02', '2026-04-01T09:00', '2026-04-02', 'no'],
    [
      'due on the day after Ascension in Denmark',
      'DK',
      AT_TWO,
      '2026-05-15',
      '2026-05-01T09:00',
      '2026-05-18',
      'closed',
    ],
    ['due on 31 December in Finland', 'FI', AT_TWO, '2026-12-31', '2026-12-01T09:00', '2026-12-31', 'no'],
    ['to a Bankgiro number the same day', 'SE', EVENING_BEFORE, '2026-11-24', '2026-11-24T08:00', '2026-11-25', 'late'],
    [
      'to a Bankgiro number, signed the evening before',
      'SE',
      EVENING_BEFORE,
      '2026-11-24',
      '2026-11-23T19:00',
      '2026-11-24',
      'no',
    ],
    [
      'to a Bankgiro number, signed too late the evening before',
      'SE',
      EVENING_BEFORE,
      '2026-11-24',
      '2026-11-23T19:01',
      '2026-11-25',
      'late',
    ],
  ] as const)('%s (%s %o) due %s signed %s: %s, moved: %s', (_what, country, cutOff, due, signed, expected, moved) => {
    const execution = executionDayOf(country, cutOff, day(due), at(signed))
    expect([execution.day.toString(), execution.moved]).toEqual([expected, moved])
  })

  test('is executed on a bank day, not before its due date, and never after its cut-off', () => {
    const days = fc.integer({ min: 0, max: 3_000 }).map((count) => day('2024-01-01').add({ days: count }))
    const countries = fc.constantFrom('NO', 'SE', 'DK', 'FI' as const)
    const cutOffs = fc.record({ localTime: fc.constantFrom('00:00', '12:00', '18:30'), bankDaysBefore: fc.nat(3) })
    fc.assert(
      fc.property(
        countries,
        cutOffs,
        days,
        fc.integer({ min: -2_000, max: 20_000 }),
        (country, cutOff, due, minutes) => {
          const calendar = calendarOf(country)
          const signedAt = due.toPlainDateTime().add({ minutes })
          const { day: executed } = executionDayOf(calendar, cutOff, due, signedAt)
          expect(isBankDay([calendar], executed)).toBe(true)
          expect(Temporal.PlainDate.compare(executed, due)).toBeGreaterThanOrEqual(0)
          expect(Temporal.PlainDateTime.compare(signedAt, cutOffFor(calendar, cutOff, executed))).toBeLessThanOrEqual(0)
        },
      ),
    )
  })

  test('of a country without a calendar is an internal error', () => {
    expect(() => calendarOf('GB')).toThrow(/calendar for GB/)
    expect(() => calendarOf('constructor')).toThrow(/calendar/)
  })
})

describe('the execution day compared with the sandbox bank, which computes it from the published calendars', () => {
  test.each(['NO', 'SE', 'DK', 'FI'] as const)('of orders in %s is the same', (country) => {
    const bank = loadDemoFixture().banks.find((each) => each.country === country)
    if (bank === undefined) {
      throw new Error(`The sandbox has no bank in ${country}`)
    }
    const days = fc.integer({ min: 0, max: 2_500 }).map((count) => day('2025-01-01').add({ days: count }))
    const cutOffs = fc.record({ localTime: fc.constantFrom('00:00', '12:00', '18:30'), bankDaysBefore: fc.nat(2) })
    fc.assert(
      fc.property(cutOffs, days, fc.integer({ min: -4_000, max: 10_000 }), (cutOff, due, minutes) => {
        const signedAt = due.toPlainDateTime().add({ minutes })
        const instant = signedAt.toZonedDateTime(bank.timeZone).toInstant()
        const local = instant.toZonedDateTimeISO(bank.timeZone).toPlainDateTime()
        const timing = { rail: 'account', requestedOn: due, isInside: false } as const
        const theirs = executionDay({ ...bank, cutOffs: { account: cutOff } }, timing, instant)
        expect(executionDayOf(country, cutOff, due, local).day.toString()).toBe(theirs.toString())
      }),
      { numRuns: randomCases(2_500) },
    )
  })
})
