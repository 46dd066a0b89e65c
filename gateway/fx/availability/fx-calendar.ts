/** Computes the days on which exchanges are funded and paid out, from the calendars of all banks involved. */
import { addBankDays, type CalendarName, calendarOf, isBankDay, nextBankDay } from '../../countries/bank-days.ts'
import { isServedCountry, rulesByCountry, SERVED_COUNTRIES } from '../../countries/served-countries.ts'

/** Service hours are in Oslo time, whatever the payer's country. */
export const SERVICE_ZONE = rulesByCountry.NO.timeZone
/** How many bank days in advance a payment may be ordered, whatever its currency. */
export const DUE_BANK_DAYS_MAX = 5

/** Calendars by currency; a currency that is not listed, and the euro, settles by TARGET alone. */
const calendarByCurrency: ReadonlyMap<string, CalendarName> = new Map(
  SERVED_COUNTRIES.filter(isServedCountry)
    .map((country): [string, CalendarName] => [rulesByCountry[country].currency, country])
    .filter(([currency]) => currency !== 'EUR'),
)

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
  const calendar = calendarByCurrency.get(currency)
  return calendar === undefined || isBankDay([calendar], day)
}

/** So many bank days after the due date, by the calendars of the payer's bank, of TARGET and of the currency. */
export function payoutDate(
  dueDate: Temporal.PlainDate,
  { country, currency, bankDays }: { readonly country: string; readonly currency: string; readonly bankDays: number },
): Temporal.PlainDate {
  const calendar = calendarByCurrency.get(currency)
  return addBankDays([...fundingCalendars(country), ...(calendar === undefined ? [] : [calendar])], dueDate, bankDays)
}
