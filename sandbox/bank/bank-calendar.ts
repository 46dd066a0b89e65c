/** When the bank works: its business day, the day a payment is executed, and the instants that follow from it. */
import type { BankProfile } from './world-shape.ts'

const SATURDAY = 6

/** The bank's date at an instant. */
export function businessDay(bank: BankProfile, at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(bank.timeZone).toPlainDate()
}

/** The first day from a date on at which banks settle with each other: no Saturday or Sunday. */
export function clearingDay(date: Temporal.PlainDate): Temporal.PlainDate {
  const daysPastFriday = date.dayOfWeek - SATURDAY
  return daysPastFriday < 0 ? date : date.add({ days: 2 - daysPastFriday })
}

/** The instant at which a date begins at the bank. */
export function startOfDay(bank: BankProfile, date: Temporal.PlainDate): Temporal.Instant {
  return date.toZonedDateTime(bank.timeZone).toInstant()
}

/** The instant at which a date is over at the bank. */
export function endOfDay(bank: BankProfile, date: Temporal.PlainDate): Temporal.Instant {
  return startOfDay(bank, date.add({ days: 1 }))
}

/** The instant of the day's booking run, for payments that were signed on an earlier day. */
export function bookingRun(bank: BankProfile, date: Temporal.PlainDate): Temporal.Instant {
  const plainTime = Temporal.PlainTime.from(bank.settlement.laterAt)
  return date.toZonedDateTime({ timeZone: bank.timeZone, plainTime }).toInstant()
}

/** An instant as the standard writes it: local time with its offset, whole seconds. */
export function printInstant(bank: BankProfile, at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(bank.timeZone).toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })
}

/** Reads a date such as `2026-11-21`; undefined when it is written otherwise or not in the calendar. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text) ? Temporal.PlainDate.from(text) : undefined
  } catch {
    return undefined
  }
}
