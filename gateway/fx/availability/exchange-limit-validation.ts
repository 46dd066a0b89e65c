/** Judges whether an exchange may be ordered now, for its due date and of its amount; each operation has codes of its own. */
import type { FailureCode, ValidationCode } from '../../../contract/errors/error-codes.ts'
import type { ExchangeCode } from '../../../contract/fx/fx-operations.ts'
import { type Money, printAmount } from '../../platform/money.ts'
import { currencyRules } from './currency-rules.ts'
import { isFundingDay, isOpenFor, lastFundingDay } from './fx-calendar.ts'
import { type Service, tellOpening } from './service-hours.ts'

/** What an exchange is ordered for. */
export type CreationAsked = {
  /** As it was asked for: what is paid out, or what is paid. */
  readonly amount: Money
  readonly payoutCurrency: string
  readonly dueDate: Temporal.PlainDate
}

/** Why it may not be ordered so. */
export type CreationFault =
  /** A weekend or a bank holiday. */
  | 'closed-day'
  /** Before the service opens, or after it has closed. */
  | 'closed-hour-due-today'
  | 'closed-hour-due-later'
  /** No day on which payments may be due, in the past, or too far ahead. */
  | 'due-date'
  /** The currency is bought on the due date only. */
  | 'never-ahead'
  /** The currency is not bought for this day. */
  | 'currency-not-on-date'
  /** More than may be ordered ahead; due today it would be taken. */
  | 'above-limit-ahead'
  | 'above-every-limit-due-later'
  | 'above-every-limit-due-today'

/** One fault; the reason completes "It …". */
export type CreationProblem = { readonly fault: CreationFault; readonly path: string; readonly reason: string }

/** How the cross-border payment says it: a 400 with a code, or a problem of the 422. */
export type CrossBorderCode = { readonly failure: FailureCode } | { readonly validation: ValidationCode }

/** The code of each fault, by operation. */
export const CREATION_CODES = {
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
} as const satisfies Readonly<Record<CreationFault, { fx: ExchangeCode; crossBorder: CrossBorderCode }>>

const WHOLE_BODY = '.'
const DUE_DATE = '.dueDate'
const AMOUNT = '.amount.amount'

/** Everything that speaks against ordering it now: at most one thing each of the time, the due date and the amount. */
export function creationProblems(asked: CreationAsked, service: Service): readonly CreationProblem[] {
  return [timeProblem(asked, service), dueDateProblem(asked, service), amountProblem(asked, service)].filter(
    (problem) => problem !== undefined,
  )
}

function timeProblem({ dueDate }: CreationAsked, service: Service): CreationProblem | undefined {
  if (service.isOpen) {
    return undefined
  }
  const because = service.isBankDay ? 'Money is not exchanged at this hour' : 'Banks are closed today'
  const fault = !service.isBankDay
    ? 'closed-day'
    : dueDate.equals(service.today)
      ? 'closed-hour-due-today'
      : 'closed-hour-due-later'
  return { fault, path: WHOLE_BODY, reason: `${because}. ${tellOpening(service)}` }
}

function dueDateProblem({ dueDate, payoutCurrency }: CreationAsked, service: Service): CreationProblem | undefined {
  const { today, country, earliestDueDate, latestDueDate } = service
  const problem = (fault: CreationFault, reason: string) => ({ fault, path: DUE_DATE, reason })
  if (!isFundingDay(country, dueDate)) {
    return problem('due-date', 'is no day on which banks on both sides are open')
  }
  // At a late hour, what is due today is refused for the hour alone.
  const isHoursFault = !service.isOpen && service.isBankDay && dueDate.equals(today)
  if ((isBefore(dueDate, earliestDueDate) && !isHoursFault) || isBefore(latestDueDate, dueDate)) {
    return problem('due-date', `must be from ${earliestDueDate} to ${latestDueDate}`)
  }
  const ahead = currencyRules(payoutCurrency)?.dueDateMaxDays
  if (ahead === undefined || dueDate.equals(today)) {
    return undefined
  }
  if (ahead === 0) {
    return problem('never-ahead', `must be today: ${payoutCurrency} is never bought ahead`)
  }
  const last = lastFundingDay(country, today, ahead)
  if (isBefore(last, dueDate)) {
    return problem(
      'currency-not-on-date',
      `must be ${last} at the latest: ${payoutCurrency} is bought ${ahead} bank days ahead`,
    )
  }
  return isOpenFor(payoutCurrency, dueDate)
    ? undefined
    : problem('currency-not-on-date', `is a day on which ${payoutCurrency} is not bought`)
}

function amountProblem({ amount, dueDate }: CreationAsked, { today }: Service): CreationProblem | undefined {
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
    reason: `is above what is exchanged at once${when}: ${printAmount(most)} ${most.currency}`,
  }
}

function isBefore(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) < 0
}
