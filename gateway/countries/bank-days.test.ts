/** Tests bank days against published calendars, and the properties of counting them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import published from '../../data/bank-holidays.json' with { type: 'json' }
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { addBankDays, bankHolidays, type CalendarName, isBankDay, nextBankDay, previousBankDay } from './bank-days.ts'

const CALENDARS: readonly CalendarName[] = ['NO', 'SE', 'DK', 'FI', 'TARGET']
const day = (text: string) => Temporal.PlainDate.from(text)
const named = (name: string): CalendarName => CALENDARS.find((calendar) => calendar === name) ?? 'TARGET'
const years = CALENDARS.flatMap((calendar) =>
  Object.entries(published.days[calendar]).map(([year, days]) => ({ calendar, year, days })),
)

describe('closing days', () => {
  test('are compared for all nine years of all five calendars', () => {
    expect(years).toHaveLength(CALENDARS.length * 9)
  })

  test.each(years)('of $calendar in $year are the published ones', ({ calendar, year, days }) => {
    expect(bankHolidays(calendar, Number(year)).map(String)).toEqual(days)
  })

  test('follow Easter through its earliest and latest dates', () => {
    expect(bankHolidays('TARGET', 2285).map(String)).toContain('2285-03-23')
    expect(bankHolidays('TARGET', 2038).map(String)).toContain('2038-04-26')
  })
})

describe('bank days', () => {
  test.each(vectors.suites.bankDay)('on $date banks of $country are open: $open', ({ country, date, open }) => {
    expect(isBankDay([named(country)], day(date))).toBe(open)
  })

  test.each(vectors.suites.nextBankDay)('the next after $date in $country is $result', ({ country, date, result }) => {
    expect(nextBankDay([named(country)], day(date)).toString()).toBe(result)
  })

  test.each(vectors.suites.prevBankDay)('the one before $date in $country is $result', ({ country, date, result }) => {
    expect(previousBankDay([named(country)], day(date)).toString()).toBe(result)
  })

  test.each(vectors.suites.addBankDays)('$n after $from in $calendars is $result', ({ calendars, from, n, result }) => {
    expect(addBankDays(calendars.map(named), day(from), n).toString()).toBe(result)
  })

  test('a bank day is its own next and previous bank day', () => {
    expect(nextBankDay(['NO'], day('2026-11-23')).toString()).toBe('2026-11-23')
    expect(previousBankDay(['NO'], day('2026-11-23')).toString()).toBe('2026-11-23')
    expect(addBankDays(['NO'], day('2026-11-21'), 0).toString()).toBe('2026-11-23')
  })

  test('adding and subtracting bank days returns to the start, and passes exactly that many', () => {
    const dates = fc.integer({ min: 0, max: 4_000 }).map((days) => day('2024-01-01').add({ days }))
    const calendars = fc.subarray([...CALENDARS], { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(calendars, dates, fc.integer({ min: 1, max: 30 }), (open, date, count) => {
        const start = nextBankDay(open, date)
        const end = addBankDays(open, start, count)
        expect(addBankDays(open, end, -count).toString()).toBe(start.toString())
        const passed = Array.from({ length: start.until(end).days }, (_, days) => end.subtract({ days }))
        expect(passed.filter((each) => isBankDay(open, each))).toHaveLength(count)
      }),
    )
  })
})
