/** Shows when exchange is possible: whether now, and on which days a payment may be due. */
import type { ExchangeCalendar, getExchangeCalendar } from '../../contract/fx/fx-operations.ts'
import type { QueryOf } from '../../contract/operation.ts'
import { COUNTRIES_SERVED } from '../countries/served-countries.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { currencyRules } from './availability/currency-rules.ts'
import { creationProblems } from './availability/exchange-limit-validation.ts'
import { nextFundingDay } from './availability/fx-calendar.ts'
import { printHour } from './availability/list-currencies.ts'
import { DUE_TODAY_UNTIL, type HoursTold, type Service, serviceAt } from './availability/service-hours.ts'
import { dayOf } from './quotes/exchange-order.ts'

type Asked = QueryOf<typeof getExchangeCalendar>

const COUNTRY = 'NO'
const DAYS_SHOWN = 30
const DAYS_SHOWN_MAX = 366
/** A day is written with four digits for its year. */
const YEAR_MAX = 9999
/** A currency that nothing limits, for calendars that are asked for without one. */
const ANY_CURRENCY = 'USD'

/** What is wrong with what is asked for. */
export function calendarProblems(
  context: HoursTold,
  query: Asked,
  isSound: (path: string) => boolean,
): readonly Problem[] {
  const { country = COUNTRY, currency = ANY_CURRENCY } = query
  const problem = (path: string, reason: string): Problem => ({ code: 'InvalidRequest', path, reason })
  const noDays = (['from', 'to'] as const).filter((name) => isSound(`.${name}`) && isNoDay(query[name]))
  const found = [
    ...noDays.map((name) => problem(`.${name}`, 'is no day')),
    ...(isSound('.country') && !COUNTRIES_SERVED.includes(country)
      ? [problem('.country', `must be one of ${COUNTRIES_SERVED.join(', ')}`)]
      : []),
    ...(isSound('.currency') && currencyRules(currency) === undefined
      ? [problem('.currency', `${currency} is not exchanged`)]
      : []),
  ]
  if (found.length > 0 || !isSound('')) {
    return found
  }
  const { from, to } = spanOf(query, serviceAt(context, country).today)
  const days = from.until(to).days
  if (to.year > YEAR_MAX) {
    return [problem('.from', `must be earlier: the calendar ends with the year ${YEAR_MAX}`)]
  }
  return days < 0 || days > DAYS_SHOWN_MAX
    ? [problem('.to', `must be from ${from} to ${from.add({ days: DAYS_SHOWN_MAX })}`)]
    : []
}

/** Takes a query that has passed the rules. */
export function showCalendar(context: HoursTold, query: Asked): ExchangeCalendar {
  const { country = COUNTRY, currency = ANY_CURRENCY } = query
  const service = serviceAt(context, country)
  const { from, to } = spanOf(query, service.today)
  const days = Array.from({ length: from.until(to).days + 1 }, (_, index) => from.add({ days: index }))
  const closed = days.flatMap((day) => {
    const reason = whyNotDue(day, currency, service)
    return reason === undefined ? [] : [[day.toString(), reason]]
  })
  return {
    serviceOpen: service.isOpen,
    opensAt: printTimestamp(service.opensAt.toInstant()),
    cutOffTime: printHour(DUE_TODAY_UNTIL),
    firstDueDate: service.earliestDueDate.toString(),
    defaultDueDate: nextFundingDay(country, service.today.add({ days: 1 })).toString(),
    lastDueDate: service.latestDueDate.toString(),
    invalidDates: Object.fromEntries(closed),
  }
}

/** As orders are judged: by everything but the hour and the amount. */
function whyNotDue(dueDate: Temporal.PlainDate, currency: string, service: Service): string | undefined {
  const asked = { amount: { minor: 0n, currency }, payoutCurrency: currency, dueDate }
  return creationProblems(asked, service).find(({ path }) => path === '.dueDate')?.reason
}

function spanOf({ from, to }: Asked, today: Temporal.PlainDate) {
  const first = dayOf(from ?? '') ?? today
  return { from: first, to: dayOf(to ?? '') ?? first.add({ days: DAYS_SHOWN }) }
}

function isNoDay(text: string | undefined): boolean {
  return text !== undefined && dayOf(text) === undefined
}
