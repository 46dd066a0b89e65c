/** Tells on which day a bank carries an order out: a bank day, and one whose cut-off has not passed. */
import { addBankDays, isBankDay, nextBankDay } from './bank-days.ts'
import type { CalendarName } from './bank-holidays.ts'

/** Until when an order must be signed to be carried out on a day: local time, so many bank days before it. */
export type CutOff = { readonly localTime: string; readonly bankDaysBefore: number }

/** A day of execution, and why it is not the day asked for; `late` goes before `closed` where it is both. */
export type ExecutionDay = { readonly day: Temporal.PlainDate; readonly moved: 'no' | 'closed' | 'late' }

const calendarByCountry: Readonly<Record<string, CalendarName>> = { NO: 'NO', SE: 'SE', DK: 'DK', FI: 'FI' }

/** The calendar of a country's banks; every bank served is of a country that has one. */
export function calendarOf(countryCode: string): CalendarName {
  const calendar = Object.hasOwn(calendarByCountry, countryCode) ? calendarByCountry[countryCode] : undefined
  if (calendar === undefined) {
    throw new Error(`No bank calendar of ${countryCode} is known`)
  }
  return calendar
}

/** The day on which an order is carried out that is signed at `signedAt`, in the bank's local time. */
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

/** The last moment, in local time, for execution on a bank day. */
export function cutOffFor(
  calendar: CalendarName,
  { localTime, bankDaysBefore }: CutOff,
  bankDay: Temporal.PlainDate,
): Temporal.PlainDateTime {
  const day = bankDaysBefore === 0 ? bankDay : addBankDays([calendar], bankDay, -bankDaysBefore)
  return day.toPlainDateTime(localTime)
}
