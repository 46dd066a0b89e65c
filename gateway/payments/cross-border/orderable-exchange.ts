/** Judges whether the exchange of a cross-border payment may be ordered now, in the codes of such payments. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Context } from '../../context.ts'
import { currencyRules } from '../../fx/availability/currency-rules.ts'
import {
  CREATION_CODES,
  type CreationProblem,
  type CrossBorderCode,
  creationProblems,
} from '../../fx/availability/exchange-limit-validation.ts'
import { serviceAt } from '../../fx/availability/service-hours.ts'
import { type Problem, refuse, withSubject } from '../../platform/http/errors/api-error.ts'
import { parseMoney } from '../../platform/money.ts'

type Surroundings = Pick<Context, 'clock' | 'config'>

/** What is wrong with it as it stands: time, due date, amount, and currencies that are not exchanged. */
export function exchangeProblems(
  context: Surroundings,
  order: CrossBorderPayment,
  countryCode: string,
): readonly Problem[] {
  const found = asked(context, order, countryCode).flatMap(({ fault, path, reason }) => {
    const code: CrossBorderCode = CREATION_CODES[fault].crossBorder
    return 'validation' in code ? [{ code: code.validation, path, reason }] : []
  })
  return [...currencyProblems(order, countryCode), ...found]
}

/** Throws what only the hour, or the pair of currency and day, speaks against: `SERVICE_CLOSED` and its like. */
export function requireExchangeService(context: Surroundings, order: CrossBorderPayment, countryCode: string): void {
  for (const { fault, ...told } of asked(context, order, countryCode)) {
    const code: CrossBorderCode = CREATION_CODES[fault].crossBorder
    if ('failure' in code) {
      throw refuse(code.failure, withSubject(told).reason)
    }
  }
}

function asked(context: Surroundings, order: CrossBorderPayment, countryCode: string): readonly CreationProblem[] {
  const amount = parseMoney(order.amount.amount, order.amount.currency)
  const dueDate = dayOf(order.dueDate)
  return amount === undefined || dueDate === undefined
    ? []
    : creationProblems({ amount, payoutCurrency: amount.currency, dueDate }, serviceAt(context, countryCode))
}

function currencyProblems({ amount, from }: CrossBorderPayment, countryCode: string): readonly Problem[] {
  const isFunded = currencyRules(from.currency)?.fundingFrom.includes(countryCode) === true
  const problem = (path: string, reason: string) => ({ code: 'InvalidRequest', path, reason }) as const
  return [
    ...(isFunded ? [] : [problem('.from.currency', `${from.currency} is not exchanged from ${countryCode}`)]),
    ...(currencyRules(amount.currency) === undefined
      ? [problem('.amount.currency', `${amount.currency} is not a currency that is exchanged`)]
      : []),
  ]
}

/** Undefined for days that the calendar has not; the rule on due dates tells of them. */
function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}
