/** Returns whether currency exchange is open now, and on which days a payment can be due. */

import type { ExchangeCalendar, getExchangeCalendar } from '../../../contract/fx/fx-operations.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Context } from '../../context.ts'
import { SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { formatTimestamp, parseDay } from '../../platform/clock.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { currencyRules, formatHour } from './currency-rules.ts'
import { validateExchangeLimits } from './exchange-limit-validation.ts'
import { DUE_TODAY_UNTIL, nextFundingDay, type ServiceStatus, serviceStatusAt } from './service-hours.ts'

type CalendarQuery = QueryOf<typeof getExchangeCalendar>

const COUNTRY = 'NO'
const DAYS_SHOWN = 30
const DAYS_SHOWN_MAX = 366
/** Dates have a year of four digits. */
const YEAR_MAX = 9999
/** A currency without restrictions, for queries that name none. */
const ANY_CURRENCY = 'USD'

export function exchangeCalendarQueryErrors(
  context: Context,
  query: CalendarQuery,
  isValid: (path: string) => boolean,
): readonly ValidationError[] {
  const { country = COUNTRY, currency = ANY_CURRENCY } = query
  const error = (path: string, reason: string): ValidationError => ({ code: 'InvalidRequest', path, reason })
  const invalidDates = (['from', 'to'] as const).filter((name) => isValid(`.${name}`) && isInvalidDate(query[name]))
  const found = [
    ...invalidDates.map((name) => error(`.${name}`, 'is not a valid date')),
    ...(isValid('.country') && !SERVED_COUNTRIES.includes(country)
      ? [error('.country', `must be one of ${SERVED_COUNTRIES.join(', ')}`)]
      : []),
    ...(isValid('.currency') && currencyRules(currency) === undefined
      ? [error('.currency', `${currency} is not exchanged`)]
      : []),
  ]
  if (found.length > 0 || !isValid('')) {
    return found
  }
  const { from, to } = periodOf(query, serviceStatusAt(context, country).today)
  const days = from.until(to).days
  if (to.year > YEAR_MAX) {
    return [error('.from', `must be earlier: the calendar ends with the year ${YEAR_MAX}`)]
  }
  return days < 0 || days > DAYS_SHOWN_MAX
    ? [error('.to', `must be from ${from} to ${from.add({ days: DAYS_SHOWN_MAX })}`)]
    : []
}

/** The calendar; `query` must have passed validation. */
export function getExchangeCalendarDays(context: Context, query: CalendarQuery): ExchangeCalendar {
  const { country = COUNTRY, currency = ANY_CURRENCY } = query
  const service = serviceStatusAt(context, country)
  const { from, to } = periodOf(query, service.today)
  const days = Array.from({ length: from.until(to).days + 1 }, (_, index) => from.add({ days: index }))
  const closed = days.flatMap((day) => {
    const reason = invalidReason(day, currency, service)
    return reason === undefined ? [] : [[day.toString(), reason]]
  })
  return {
    serviceOpen: service.isOpen,
    opensAt: formatTimestamp(service.opensAt.toInstant()),
    cutOffTime: formatHour(DUE_TODAY_UNTIL),
    firstDueDate: service.earliestDueDate.toString(),
    defaultDueDate: nextFundingDay(country, service.today.add({ days: 1 })).toString(),
    lastDueDate: service.latestDueDate.toString(),
    invalidDates: Object.fromEntries(closed),
  }
}

/** Why no payment can be due on a day: the due date rules of orders, without hour and amount. */
function invalidReason(dueDate: Temporal.PlainDate, currency: string, service: ServiceStatus): string | undefined {
  const request = { amount: { minor: 0n, currency }, payoutCurrency: currency, dueDate }
  return validateExchangeLimits(request, service).find(({ path }) => path === '.dueDate')?.reason
}

function periodOf({ from, to }: CalendarQuery, today: Temporal.PlainDate) {
  const first = parseDay(from ?? '') ?? today
  return { from: first, to: parseDay(to ?? '') ?? first.add({ days: DAYS_SHOWN }) }
}

function isInvalidDate(text: string | undefined): boolean {
  return text !== undefined && parseDay(text) === undefined
}
