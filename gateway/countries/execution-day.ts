/** Calculates the execution day of an order from bank days and cut-off times. */
import { addBankDays, type CalendarName, isBankDay, nextBankDay } from './bank-days.ts'
import { isServedCountry } from './served-countries.ts'

/** The cut-off for signing an order: a local time, so many bank days before the execution day. */
export type CutOff = { readonly localTime: string; readonly bankDaysBefore: number }

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
