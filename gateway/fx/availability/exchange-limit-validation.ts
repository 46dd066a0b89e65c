/** Validates the time, due date and amount of an exchange; each operation maps the faults to its own error codes. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { FailureCode } from '../../../contract/errors/failures.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import { formatAmount, type Money } from '../../platform/money.ts'
import { currencyRules } from './currency-rules.ts'
import { describeNextOpening, isFundingDay, isTradingDay, lastFundingDay, type ServiceStatus } from './service-hours.ts'

export type ExchangeLimitRequest = {
  /** As requested: the payout or the cost. */
  readonly amount: Money
  readonly payoutCurrency: string
  readonly dueDate: Temporal.PlainDate
}

/** Why the exchange cannot be ordered. */
export type ExchangeLimitFault =
  /** A weekend or a bank holiday. */
  | 'closed-day'
  /** Before the service opens, or after it has closed. */
  | 'closed-hour-due-today'
  | 'closed-hour-due-later'
  /** Not a day on which payments can be due, in the past, or too far in the future. */
  | 'due-date'
  /** The currency cannot be bought in advance. */
  | 'never-ahead'
  /** The currency cannot be bought for this day. */
  | 'currency-not-on-date'
  /** Above the limit for later due dates, but within that for today. */
  | 'above-limit-ahead'
  | 'above-every-limit-due-later'
  | 'above-every-limit-due-today'

/** One fault; the reason completes "The field …". */
export type ExchangeLimitError = { readonly fault: ExchangeLimitFault; readonly path: string; readonly reason: string }

/** The code in cross-border payments: a 400 with a failure code, or a validation error of the 422. */
export type CrossBorderCode = { readonly failure: FailureCode } | { readonly validation: ValidationCode }

/** The code of each fault, by operation. */
export const EXCHANGE_LIMIT_CODES = {
  'closed-day': { fx: 'InvalidCreationTime', crossBorder: { validation: 'InvalidCreationTime' } },
  'closed-hour-due-today': { fx: 'InvalidCreationTime', crossBorder: { failure: 'SERVICE_CLOSED' } },
  'closed-hour-due-later': {
    fx: 'InvalidCreationTime',
    crossBorder: { validation: 'InvalidForwardExchangeServiceTime' },
  },
  'due-date': { fx: 'InvalidDueDate', crossBorder: { validation: 'InvalidDueDate' } },
  'never-ahead': { fx: 'InvalidDueDate', crossBorder: { validation: 'InvalidForwardCurrency' } },
  'currency-not-on-date': { fx: 'InvalidDueDate', crossBorder: { failure: 'UNSUPPORTED_DUE_DATE' } },
  'above-limit-ahead': { fx: 'InvalidAmount', crossBorder: { failure: 'MAX_AMOUNT_EXCEEDED' } },
  'above-every-limit-due-later': { fx: 'InvalidAmount', crossBorder: { validation: 'InvalidForwardAmount' } },
  'above-every-limit-due-today': { fx: 'InvalidAmount', crossBorder: { validation: 'InvalidRequest' } },
} as const satisfies Readonly<Record<ExchangeLimitFault, { fx: ExchangeCode; crossBorder: CrossBorderCode }>>

const WHOLE_BODY = '.'
const DUE_DATE = '.dueDate'
const AMOUNT = '.amount.amount'

/** Returns at most one error each for the time, the due date and the amount. */
export function validateExchangeLimits(
  request: ExchangeLimitRequest,
  service: ServiceStatus,
): readonly ExchangeLimitError[] {
  return [timeError(request, service), dueDateError(request, service), exchangeAmountError(request, service)].filter(
    (error) => error !== undefined,
  )
}

function timeError({ dueDate }: ExchangeLimitRequest, service: ServiceStatus): ExchangeLimitError | undefined {
  if (service.isOpen) {
    return undefined
  }
  const because = service.isBankDay ? 'Currency exchange is closed at this hour' : 'Banks are closed today'
  const fault = !service.isBankDay
    ? 'closed-day'
    : dueDate.equals(service.today)
      ? 'closed-hour-due-today'
      : 'closed-hour-due-later'
  return { fault, path: WHOLE_BODY, reason: `${because}. ${describeNextOpening(service)}` }
}

function dueDateError(
  { dueDate, payoutCurrency }: ExchangeLimitRequest,
  service: ServiceStatus,
): ExchangeLimitError | undefined {
  const { today, country, earliestDueDate, latestDueDate } = service
  const error = (fault: ExchangeLimitFault, reason: string) => ({ fault, path: DUE_DATE, reason })
  if (!isFundingDay(country, dueDate)) {
    return error('due-date', 'must be a day on which the banks on both sides are open')
  }
  // After hours, an order due today is rejected for the hour alone.
  const isHoursFault = !service.isOpen && service.isBankDay && dueDate.equals(today)
  if ((isBefore(dueDate, earliestDueDate) && !isHoursFault) || isBefore(latestDueDate, dueDate)) {
    return error('due-date', `must be from ${earliestDueDate} to ${latestDueDate}`)
  }
  const dueDateMaxDays = currencyRules(payoutCurrency)?.dueDateMaxDays
  if (dueDateMaxDays === undefined || dueDate.equals(today)) {
    return undefined
  }
  if (dueDateMaxDays === 0) {
    return error('never-ahead', `must be today: ${payoutCurrency} cannot be bought in advance`)
  }
  const last = lastFundingDay(country, today, dueDateMaxDays)
  if (isBefore(last, dueDate)) {
    return error(
      'currency-not-on-date',
      `must be ${last} or earlier: ${payoutCurrency} can be bought at most ${dueDateMaxDays} bank days in advance`,
    )
  }
  return isTradingDay(payoutCurrency, dueDate)
    ? undefined
    : error('currency-not-on-date', `is a day on which ${payoutCurrency} is not traded`)
}

/** The error of an amount above the limit of its currency for this due date. */
export function exchangeAmountError(
  { amount, dueDate }: Pick<ExchangeLimitRequest, 'amount' | 'dueDate'>,
  { today }: Pick<ServiceStatus, 'today'>,
): ExchangeLimitError | undefined {
  const limits = currencyRules(amount.currency)?.maxAmount
  if (limits === undefined) {
    return undefined
  }
  const isToday = dueDate.equals(today)
  const limit = isToday ? limits.dueToday : (limits.dueLater ?? limits.dueToday)
  if (amount.minor <= limit.minor) {
    return undefined
  }
  const above = amount.minor > limits.dueToday.minor
  const when = isToday || above ? '' : ' when it is due later than today'
  const most = above ? limits.dueToday : limit
  return {
    fault: !above ? 'above-limit-ahead' : isToday ? 'above-every-limit-due-today' : 'above-every-limit-due-later',
    path: AMOUNT,
    reason: `exceeds the limit of one exchange${when}: ${formatAmount(most)} ${most.currency}`,
  }
}

function isBefore(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) < 0
}
