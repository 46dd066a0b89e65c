/** Validates whether the exchange of a cross-border payment may be ordered now, in the codes of such payments. */

import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Context } from '../../context.ts'
import { currencyRules } from '../../fx/availability/currency-rules.ts'
import {
  type CrossBorderCode,
  EXCHANGE_LIMIT_CODES,
  type ExchangeLimitError,
  validateExchangeLimits,
} from '../../fx/availability/exchange-limit-validation.ts'
import { serviceStatusAt } from '../../fx/availability/service-hours.ts'
import { apiError, type ValidationError, withSubject } from '../../platform/http/errors/api-error.ts'
import { parseMoney } from '../../platform/money.ts'
import { parseDay } from '../../platform/time-format.ts'

/** Returns the errors in due date, amount and currencies. */
export function validateExchange(
  context: Context,
  order: CrossBorderPayment,
  countryCode: string,
): readonly ValidationError[] {
  const limitErrors = exchangeLimitErrorsOf(context, order, countryCode).flatMap(({ fault, path, reason }) => {
    const code: CrossBorderCode = EXCHANGE_LIMIT_CODES[fault].crossBorder
    return 'validation' in code ? [{ code: code.validation, path, reason }] : []
  })
  return [...validateCurrencies(order, countryCode), ...limitErrors]
}

/** Throws `SERVICE_CLOSED` or a similar error when exchange is not available at this time or for this date. */
export function requireExchangeService(context: Context, order: CrossBorderPayment, countryCode: string): void {
  for (const { fault, ...error } of exchangeLimitErrorsOf(context, order, countryCode)) {
    const code: CrossBorderCode = EXCHANGE_LIMIT_CODES[fault].crossBorder
    if ('failure' in code) {
      throw apiError(code.failure, withSubject(error).reason)
    }
  }
}

function exchangeLimitErrorsOf(
  context: Context,
  order: CrossBorderPayment,
  countryCode: string,
): readonly ExchangeLimitError[] {
  const amount = parseMoney(order.amount.amount, order.amount.currency)
  const dueDate = parseDay(order.dueDate)
  return amount === undefined || dueDate === undefined
    ? []
    : validateExchangeLimits(
        { amount, payoutCurrency: amount.currency, dueDate },
        serviceStatusAt(context, countryCode),
      )
}

function validateCurrencies({ amount, from }: CrossBorderPayment, countryCode: string): readonly ValidationError[] {
  const isFunded = currencyRules(from.currency)?.fundingFrom.includes(countryCode) === true
  const currencyError = (path: string, reason: string) => ({ code: 'InvalidRequest', path, reason }) as const
  return [
    ...(isFunded ? [] : [currencyError('.from.currency', `${from.currency} cannot be exchanged from ${countryCode}`)]),
    ...(currencyRules(amount.currency) === undefined
      ? [currencyError('.amount.currency', `${amount.currency} is not supported for exchange`)]
      : []),
  ]
}
