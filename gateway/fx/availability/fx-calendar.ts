/** Computes the days on which exchanges are funded and paid out, from the calendars of all banks involved. */
import { addBankDays, isBankDay, nextBankDay } from '../../countries/bank-days.ts'
import type { CalendarName } from '../../countries/bank-holidays.ts'
import { calendarOf } from '../../countries/execution-day.ts'

/** Service hours are in Oslo time, whatever the payer's country. */
export const SERVICE_ZONE = 'Europe/Oslo'
/** How many bank days in advance a payment may be ordered, whatever its currency. */
export const DUE_BANK_DAYS_MAX = 5

/** Currencies with their own settlement calendar; all others settle by TARGET alone. */
const CALENDAR_BY_CURRENCY: Readonly<Record<string, CalendarName>> = { NOK: 'NO', SEK: 'SE', DKK: 'DK' }

/** The calendars of the payer's bank and of the provider's accounts. */
export function fundingCalendars(country: string): readonly CalendarName[] {
  return [calendarOf(country), 'TARGET']
}

/** Whether a payment may be due on a day at all. */
export function isFundingDay(country: string, day: Temporal.PlainDate): boolean {
  return isBankDay(fundingCalendars(country), day)
}

/** The first funding day on or after a day. */
export function nextFundingDay(country: string, day: Temporal.PlainDate): Temporal.PlainDate {
  return nextBankDay(fundingCalendars(country), day)
}

/** The latest due date of a payment ordered today, for a currency that can be bought so many bank days in advance. */
export function lastFundingDay(
  country: string,
  today: Temporal.PlainDate,
  bankDays: number = DUE_BANK_DAYS_MAX,
): Temporal.PlainDate {
  return bankDays === 0 ? today : addBankDays(fundingCalendars(country), today, bankDays)
}

/** Whether a currency is traded on a day. */
export function isTradingDay(currency: string, day: Temporal.PlainDate): boolean {
  const calendar = Object.hasOwn(CALENDAR_BY_CURRENCY, currency) ? CALENDAR_BY_CURRENCY[currency] : undefined
  return calendar === undefined || isBankDay([calendar], day)
}

/** So many bank days after the due date, by the calendars of the payer's bank, of TARGET and of the currency. */
export function payoutDate(
  dueDate: Temporal.PlainDate,
  { country, currency, bankDays }: { readonly country: string; readonly currency: string; readonly bankDays: number },
): Temporal.PlainDate {
  const calendar = Object.hasOwn(CALENDAR_BY_CURRENCY, currency) ? CALENDAR_BY_CURRENCY[currency] : undefined
  return addBankDays([...fundingCalendars(country), ...(calendar === undefined ? [] : [calendar])], dueDate, bankDays)
}
