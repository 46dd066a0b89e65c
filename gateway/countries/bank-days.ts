/** Calculates with bank days; with several calendars, banks must be open in all of them. Also the days by which we count. */
import { bankHolidaysOf, TARGET_HOLIDAYS } from './bank-holidays.ts'
import { type CountryCode, isServedCountry, rulesByCountry } from './served-countries.ts'

/** Bank calendars: those of the countries, and that of the euro area's settlement system. */
export type CalendarName = CountryCode | 'TARGET'

const SATURDAY = 6

/** Cache: few years are used, and often. */
const closedByCalendarYear = new Map<string, ReadonlySet<string>>()

/** The bank holidays of a year, sorted; some may fall on a Saturday or Sunday. */
export function bankHolidays(calendar: CalendarName, year: number): readonly Temporal.PlainDate[] {
  return bankHolidaysOf(calendar === 'TARGET' ? TARGET_HOLIDAYS : rulesByCountry[calendar].bankHolidays, year)
}

/** Whether banks are open. */
export function isBankDay(calendars: readonly CalendarName[], date: Temporal.PlainDate): boolean {
  const { year } = date
  return (
    date.dayOfWeek < SATURDAY &&
    calendars.every(
      (calendar) =>
        !closedByCalendarYear
          .getOrInsertComputed(`${calendar} ${year}`, () => new Set(bankHolidays(calendar, year).map(String)))
          .has(date.toString()),
    )
  )
}

/** The first bank day on or after a day. */
export function nextBankDay(calendars: readonly CalendarName[], date: Temporal.PlainDate): Temporal.PlainDate {
  return firstBankDay(calendars, date, 1)
}

/** The last bank day on or before a day. */
export function previousBankDay(calendars: readonly CalendarName[], date: Temporal.PlainDate): Temporal.PlainDate {
  return firstBankDay(calendars, date, -1)
}

/** The nth bank day after the day, or before it when the count is negative; with 0, the next bank day. */
export function addBankDays(
  calendars: readonly CalendarName[],
  date: Temporal.PlainDate,
  count: number,
): Temporal.PlainDate {
  const step = count < 0 ? -1 : 1
  let day = count === 0 ? nextBankDay(calendars, date) : date
  for (let left = Math.abs(count); left > 0; left--) {
    day = firstBankDay(calendars, day.add({ days: step }), step)
  }
  return day
}

function firstBankDay(calendars: readonly CalendarName[], date: Temporal.PlainDate, step: 1 | -1): Temporal.PlainDate {
  let day = date
  while (!isBankDay(calendars, day)) {
    day = day.add({ days: step })
  }
  return day
}

/** The cut-off for signing an order: a local time, so many bank days before the execution day. */
type CutOff = { readonly localTime: string; readonly bankDaysBefore: number }

/** The execution day, and why it differs from the due date; `late` has precedence over `closed`. */
export type ExecutionDay = { readonly day: Temporal.PlainDate; readonly moved: 'no' | 'closed' | 'late' }

/** The bank calendar of a country. Throws for countries that we do not serve. */
export function calendarOf(countryCode: string): CalendarName {
  if (!isServedCountry(countryCode)) {
    throw new Error(`There is no bank calendar for ${countryCode}`)
  }
  return countryCode
}

/** The execution day of an order signed at `signedAt`, in the bank's local time. */
export function executionDayOf(
  calendar: CalendarName,
  cutOff: CutOff,
  dueDate: Temporal.PlainDate,
  signedAt: Temporal.PlainDateTime,
): ExecutionDay {
  const open = nextBankDay([calendar], dueDate)
  let day = open
  while (Temporal.PlainDateTime.compare(signedAt, cutOffFor(calendar, cutOff, day)) > 0) {
    day = addBankDays([calendar], day, 1)
  }
  if (!day.equals(open)) {
    return { day, moved: 'late' }
  }
  return { day, moved: isBankDay([calendar], dueDate) ? 'no' : 'closed' }
}

/** The cut-off in local time for execution on a bank day. */
export function cutOffFor(
  calendar: CalendarName,
  { localTime, bankDaysBefore }: CutOff,
  bankDay: Temporal.PlainDate,
): Temporal.PlainDateTime {
  const day = bankDaysBefore === 0 ? bankDay : addBankDays([calendar], bankDay, -bankDaysBefore)
  return day.toPlainDateTime(localTime)
}

export const REPORTING_TIME_ZONE = 'Europe/Oslo'

/** The first moment of a day. */
export function startOfReportingDay(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(REPORTING_TIME_ZONE).toInstant()
}
