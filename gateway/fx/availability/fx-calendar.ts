/** Tells on which days exchange is funded and paid out, by the calendars of all banks on the way. */
import { addBankDays, isBankDay, nextBankDay } from '../../countries/bank-days.ts'
import type { CalendarName } from '../../countries/bank-holidays.ts'
import { calendarOf } from '../../countries/execution-day.ts'

/** The hours of the service are those of Oslo, wherever the payer is. */
export const SERVICE_ZONE = 'Europe/Oslo'
/** How many bank days ahead a payment may be due, whatever its currency. */
export const DUE_BANK_DAYS_MAX = 5

/** Currencies that move by a calendar of their own; money in every other one passes through the euro area's. */
const CALENDAR_BY_CURRENCY: Readonly<Record<string, CalendarName>> = { NOK: 'NO', SEK: 'SE', DKK: 'DK' }

/** Both sides of the funding: the payer's bank, and the provider's accounts. */
export function fundingCalendars(country: string): readonly CalendarName[] {
  return [calendarOf(country), 'TARGET']
}

/** Whether a payment may be due on a day at all. */
export function isFundingDay(country: string, day: Temporal.PlainDate): boolean {
  return isBankDay(fundingCalendars(country), day)
}

/** The day itself when payments may be due on it, otherwise the next one. */
export function nextFundingDay(country: string, day: Temporal.PlainDate): Temporal.PlainDate {
  return nextBankDay(fundingCalendars(country), day)
}

/** The last day on which a payment that is ordered today may be due, for a currency that is bought so far ahead. */
export function lastFundingDay(
  country: string,
  today: Temporal.PlainDate,
  bankDays: number = DUE_BANK_DAYS_MAX,
): Temporal.PlainDate {
  return bankDays === 0 ? today : addBankDays(fundingCalendars(country), today, bankDays)
}

/** Whether a currency is bought on a day. */
export function isOpenFor(currency: string, day: Temporal.PlainDate): boolean {
  const calendar = Object.hasOwn(CALENDAR_BY_CURRENCY, currency) ? CALENDAR_BY_CURRENCY[currency] : undefined
  return calendar === undefined || isBankDay([calendar], day)
}

/** When the receiver is paid: so many bank days after the due date, on which the payer's and the currency's banks are open. */
export function payoutDate(
  dueDate: Temporal.PlainDate,
  { country, currency, bankDays }: { readonly country: string; readonly currency: string; readonly bankDays: number },
): Temporal.PlainDate {
  const calendar = Object.hasOwn(CALENDAR_BY_CURRENCY, currency) ? CALENDAR_BY_CURRENCY[currency] : undefined
  return addBankDays([...fundingCalendars(country), ...(calendar === undefined ? [] : [calendar])], dueDate, bankDays)
}
