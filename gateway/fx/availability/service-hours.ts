/** Computes whether currency exchange is open, when it opens next, and which due dates are possible. */
import type { Context } from '../../context.ts'
import { addBankDays, type CalendarName, calendarOf, isBankDay, nextBankDay } from '../../countries/bank-days.ts'
import { isServedCountry, rulesByCountry, SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { formatTimestamp } from '../../platform/clock.ts'

/** Orders after this time are due on the next bank day at the earliest. */
export const DUE_TODAY_UNTIL = Temporal.PlainTime.from('16:00')

/** The service status at one moment, for payers of one country. */
export type ServiceStatus = {
  readonly country: string
  readonly today: Temporal.PlainDate
  /** Whether banks of the country are open today. */
  readonly isBankDay: boolean
  /** Whether orders are accepted now. */
  readonly isOpen: boolean
  /** Whether it is after the hour until which a payment may be due today. */
  readonly isLate: boolean
  /** When orders are accepted next; now, if the service is open. */
  readonly opensAt: Temporal.ZonedDateTime
  readonly earliestDueDate: Temporal.PlainDate
  readonly latestDueDate: Temporal.PlainDate
  /** Whether partners can set the clock. */
  readonly isSandbox: boolean
}

/** The current status for payers of a country. */
export function serviceStatusAt({ clock, config }: Context, country: string): ServiceStatus {
  const now = clock.now().toZonedDateTimeISO(SERVICE_ZONE)
  const [today, time] = [now.toPlainDate(), now.toPlainTime()]
  const calendars = [calendarOf(country)]
  const opens = Temporal.PlainTime.from(config.fxServiceHours.opens)
  const closes = Temporal.PlainTime.from(config.fxServiceHours.closes)
  const isBankDayToday = isBankDay(calendars, today)
  const [isEarly, isOver] = [isBefore(time, opens), !isBefore(time, closes)]
  const isOpen = isBankDayToday && !isEarly && !isOver
  const openingDay = nextBankDay(calendars, isOver ? today.add({ days: 1 }) : today)
  const isLate = !isBefore(time, DUE_TODAY_UNTIL)
  return {
    country,
    today,
    isBankDay: isBankDayToday,
    isOpen,
    isLate,
    opensAt: isOpen ? now : openingDay.toZonedDateTime({ timeZone: SERVICE_ZONE, plainTime: opens }),
    earliestDueDate: nextFundingDay(country, isLate ? today.add({ days: 1 }) : today),
    latestDueDate: lastFundingDay(country, today),
    isSandbox: config.mode === 'sandbox',
  }
}

/** Describes when the service opens; in the sandbox also how to set the clock to that time. */
export function describeNextOpening({ opensAt, isSandbox }: Pick<ServiceStatus, 'opensAt' | 'isSandbox'>): string {
  const opens = formatTimestamp(opensAt.toInstant())
  const shortcut = isSandbox ? `; POST /api/sandbox/clock with {"set":"${opens}"} sets the clock to that time` : ''
  return `It opens at ${opens}${shortcut}`
}

function isBefore(one: Temporal.PlainTime, other: Temporal.PlainTime): boolean {
  return Temporal.PlainTime.compare(one, other) < 0
}

/** Whether the account is debited today or first on the next bank day, before other funds can arrive. */
export function isDueNow(
  { today, isLate, earliestDueDate }: Pick<ServiceStatus, 'today' | 'isLate' | 'earliestDueDate'>,
  dueDate: Temporal.PlainDate,
): boolean {
  return dueDate.equals(today) || (isLate && dueDate.equals(earliestDueDate))
}

/** Service hours are in Oslo time, whatever the payer's country. */
export const SERVICE_ZONE = rulesByCountry.NO.timeZone
/** How many bank days in advance a payment may be ordered, whatever its currency. */
const DUE_BANK_DAYS_MAX = 5

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
