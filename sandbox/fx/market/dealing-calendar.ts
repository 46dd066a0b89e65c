/** On which days money of two currencies changes hands, and until when on such a day. */
import holidays from '../../../data/bank-holidays.json' with { type: 'json' }
import type { Traded } from './market.ts'

/** The provider is in London. */
export const ZONE = 'Europe/London'
const SATURDAY = 6
const DAYS_AHEAD_MAX = 366
/** Between dealing and settling, unless something else is asked for. */
const USUAL_DAYS = 2

const calendarByCurrency: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  NOK: holidays.days.NO,
  SEK: holidays.days.SE,
  DKK: holidays.days.DK,
  EUR: holidays.days.TARGET,
}

/** Days that can be asked for instead of a date. */
export type DatePreference = 'default' | 'earliest' | 'next_day' | 'optimize_liquidity'

/** The provider's date at an instant. */
export function dayAt(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(ZONE).toPlainDate()
}

/** Whether money of all these currencies moves on a day. */
export function isDealingDay(currencies: readonly Traded[], day: Temporal.PlainDate): boolean {
  const isHoliday = ({ code }: Traded) => calendarByCurrency[code]?.[day.year]?.includes(day.toString()) === true
  return day.dayOfWeek < SATURDAY && !currencies.some(isHoliday)
}

/** The first dealing day from a day on. */
export function dealingDay(currencies: readonly Traded[], from: Temporal.PlainDate): Temporal.PlainDate {
  let day = from
  while (!isDealingDay(currencies, day)) {
    day = day.add({ days: 1 })
  }
  return day
}

/** The conversion date that a word stands for. */
export function preferredDay(
  currencies: readonly Traded[],
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

/** Whether a conversion may be dated so. */
export function mayConvertOn(currencies: readonly Traded[], day: Temporal.PlainDate, at: Temporal.Instant): boolean {
  const isTooEarly = Temporal.PlainDate.compare(day, earliestDay(currencies, at)) < 0
  return !isTooEarly && dayAt(at).until(day).days <= DAYS_AHEAD_MAX && isDealingDay(currencies, day)
}

/** Until when on a day money of a currency must be there. */
export function cutOffOn({ cutOff }: Traded, day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime({ timeZone: ZONE, plainTime: Temporal.PlainTime.from(cutOff) }).toInstant()
}

/** Today, as long as there is time for the money to come. */
function earliestDay(currencies: readonly Traded[], at: Temporal.Instant): Temporal.PlainDate {
  const first = dealingDay(currencies, dayAt(at))
  const isOver = currencies.some((currency) => Temporal.Instant.compare(at, cutOffOn(currency, first)) > 0)
  return isOver ? dealingDay(currencies, first.add({ days: 1 })) : first
}

function laterDay(currencies: readonly Traded[], from: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let day = from
  for (let left = count; left > 0; left -= 1) {
    day = dealingDay(currencies, day.add({ days: 1 }))
  }
  return day
}
