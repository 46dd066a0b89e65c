/** Counts in bank days. Of several calendars, all must be open. */
import { type CalendarName, closingDays } from './bank-holidays.ts'

const SATURDAY = 6

/** Years are asked for again and again, and there are few of them. */
const closedByCalendarYear = new Map<string, ReadonlySet<string>>()

/** Whether banks are open. */
export function isBankDay(calendars: readonly CalendarName[], date: Temporal.PlainDate): boolean {
  return date.dayOfWeek < SATURDAY && calendars.every((calendar) => !isClosed(calendar, date))
}

/** The day itself when banks are open, otherwise the first day after it on which they are. */
export function nextBankDay(calendars: readonly CalendarName[], date: Temporal.PlainDate): Temporal.PlainDate {
  return firstBankDay(calendars, date, 1)
}

/** The day itself when banks are open, otherwise the last day before it on which they were. */
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

function isClosed(calendar: CalendarName, date: Temporal.PlainDate): boolean {
  const key = `${calendar} ${date.year}`
  const closed = closedByCalendarYear.get(key) ?? new Set(closingDays(calendar, date.year).map(String))
  closedByCalendarYear.set(key, closed)
  return closed.has(date.toString())
}
