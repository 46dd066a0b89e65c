/** The bank's calendar: business day, execution day, cut-off times and booking runs. */
import holidays from '../../data/bank-holidays.json' with { type: 'json' }
import type { BankProfile, Rail } from './fixture.ts'

const SATURDAY = 6
/** Upper bound of consecutive closed days; longer than any holiday. */
const CLOSED_DAYS_MAX = 14

/** The bank's date at an instant. */
export function businessDay(bank: Pick<BankProfile, 'timeZone'>, at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(bank.timeZone).toPlainDate()
}

export function isClearingDay({ country }: BankProfile, date: Temporal.PlainDate): boolean {
  const years: Readonly<Record<string, readonly string[]>> = holidays.days[country]
  return date.dayOfWeek < SATURDAY && years[date.year]?.includes(date.toString()) !== true
}

/** The first clearing day on or after a date. */
export function clearingDay(bank: BankProfile, date: Temporal.PlainDate): Temporal.PlainDate {
  const days = Array.from({ length: CLOSED_DAYS_MAX }, (_, index) => date.add({ days: index }))
  return days.find((day) => isClearingDay(bank, day)) ?? date
}

/** The properties of a payment that determine its execution day. */
export type Timing = {
  readonly rail: Rail
  readonly requestedOn: Temporal.PlainDate
  /** Transfers within the bank are executed every day and at every hour. */
  readonly isInside: boolean
}

/** The execution day of a payment that is authorised at an instant: not before the requested day. */
export function executionDay(bank: BankProfile, { rail, requestedOn, isInside }: Timing, at: Temporal.Instant) {
  const today = businessDay(bank, at)
  if (isInside) {
    return later(requestedOn, today)
  }
  let day = clearingDay(bank, later(requestedOn, today))
  while (isAfterCutOff(bank, rail, day, at)) {
    day = clearingDay(bank, day.add({ days: 1 }))
  }
  return day
}

function isAfterCutOff(bank: BankProfile, rail: Rail, day: Temporal.PlainDate, at: Temporal.Instant): boolean {
  const cutOff = bank.cutOffs[rail]
  if (cutOff === undefined) {
    return false
  }
  const plainTime = Temporal.PlainTime.from(cutOff.localTime)
  const last = bankDaysBefore(bank, day, cutOff.bankDaysBefore).toZonedDateTime({ timeZone: bank.timeZone, plainTime })
  return Temporal.Instant.compare(at, last.toInstant()) > 0
}

function bankDaysBefore(bank: BankProfile, date: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let [day, left] = [date, count]
  while (left > 0) {
    day = day.subtract({ days: 1 })
    left -= isClearingDay(bank, day) ? 1 : 0
  }
  return day
}

function later(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? other : one
}

export function startOfDay(bank: BankProfile, date: Temporal.PlainDate): Temporal.Instant {
  return date.toZonedDateTime(bank.timeZone).toInstant()
}

export function endOfDay(bank: BankProfile, date: Temporal.PlainDate): Temporal.Instant {
  return startOfDay(bank, date.add({ days: 1 }))
}

/** The booking run of a day, for payments authorised on an earlier day. */
export function bookingRun(bank: BankProfile, date: Temporal.PlainDate): Temporal.Instant {
  const plainTime = Temporal.PlainTime.from(bank.settlement.laterAt)
  return date.toZonedDateTime({ timeZone: bank.timeZone, plainTime }).toInstant()
}

/** The standard's format: local time with its offset, whole seconds. */
export function formatInstant(bank: BankProfile, at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(bank.timeZone).toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })
}
