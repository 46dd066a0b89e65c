/** The dealing days of two currencies, and the cut-off times on them. */
import holidays from '../../../data/bank-holidays.json' with { type: 'json' }
import type { TradedCurrency } from './market.ts'

/** The provider is in London. */
export const ZONE = 'Europe/London'
const SATURDAY = 6
const DAYS_AHEAD_MAX = 366
/** Days from dealing to settlement, by default. */
const USUAL_DAYS = 2

const calendarByCurrency: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  NOK: holidays.days.NO,
  SEK: holidays.days.SE,
  DKK: holidays.days.DK,
  EUR: holidays.days.TARGET,
}

/** Preferences that may be given instead of a date. */
export type DatePreference = 'default' | 'earliest' | 'next_day' | 'optimize_liquidity'

/** The provider's date at an instant. */
export function dayAt(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(ZONE).toPlainDate()
}

export function isDealingDay(currencies: readonly TradedCurrency[], day: Temporal.PlainDate): boolean {
  const isHoliday = ({ code }: TradedCurrency) =>
    calendarByCurrency[code]?.[day.year]?.includes(day.toString()) === true
  return day.dayOfWeek < SATURDAY && !currencies.some(isHoliday)
}

/** The first dealing day on or after a day. */
export function dealingDay(currencies: readonly TradedCurrency[], from: Temporal.PlainDate): Temporal.PlainDate {
  let day = from
  while (!isDealingDay(currencies, day)) {
    day = day.add({ days: 1 })
  }
  return day
}

export function preferredDay(
  currencies: readonly TradedCurrency[],
  preference: DatePreference,
  at: Temporal.Instant,
): Temporal.PlainDate {
  const earliest = earliestDay(currencies, at)
  switch (preference) {
    case 'earliest':
      return earliest
    case 'next_day':
      return laterDay(currencies, dayAt(at), 1)
    default: {
      const usual = laterDay(currencies, dayAt(at), USUAL_DAYS)
      return Temporal.PlainDate.compare(usual, earliest) < 0 ? earliest : usual
    }
  }
}

export function mayConvertOn(
  currencies: readonly TradedCurrency[],
  day: Temporal.PlainDate,
  at: Temporal.Instant,
): boolean {
  const isTooEarly = Temporal.PlainDate.compare(day, earliestDay(currencies, at)) < 0
  return !isTooEarly && dayAt(at).until(day).days <= DAYS_AHEAD_MAX && isDealingDay(currencies, day)
}

/** The instant on a day until which money of a currency must have arrived. */
export function cutOffOn({ cutOff }: TradedCurrency, day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(cutOff) }).toInstant()
}

/** Today until its cut-off time has passed. */
function earliestDay(currencies: readonly TradedCurrency[], at: Temporal.Instant): Temporal.PlainDate {
  const first = dealingDay(currencies, dayAt(at))
  const isOver = currencies.some((currency) => Temporal.Instant.compare(at, cutOffOn(currency, first)) > 0)
  return isOver ? dealingDay(currencies, first.add({ days: 1 })) : first
}

function laterDay(currencies: readonly TradedCurrency[], from: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let day = from
  for (let left = count; left > 0; left -= 1) {
    day = dealingDay(currencies, day.add({ days: 1 }))
  }
  return day
}
