/** Validates whether the exchange of a cross-border payment may be ordered now, in the codes of such payments. */

import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Context } from '../../context.ts'
import { currencyRules } from '../../fx/availability/currency-rules.ts'
import {
  type CrossBorderCode,
  EXCHANGE_LIMIT_CODES,
  validateExchangeLimits,
} from '../../fx/availability/exchange-limit-validation.ts'
import { serviceStatusAt } from '../../fx/availability/service-hours.ts'
import { apiError, type ValidationError, withSubject } from '../../platform/http/errors/api-error.ts'
import type { CrossBorderParts } from './cross-border-parts.ts'

/** The errors in due date, amount and currencies, and why exchange is not available at this time or for this date. */
export function checkExchange(
  context: Context,
  { ordered, amount, dueDate }: CrossBorderParts,
  countryCode: string,
): { readonly errors: readonly ValidationError[]; readonly closed: Error | undefined } {
  const limitErrors =
    amount === undefined || dueDate === undefined
      ? []
      : validateExchangeLimits(
          { amount, payoutCurrency: amount.currency, dueDate },
          serviceStatusAt(context, countryCode),
        )
  const [closed] = limitErrors.flatMap(({ fault, ...error }) => {
    const code: CrossBorderCode = EXCHANGE_LIMIT_CODES[fault].crossBorder
    return 'failure' in code ? [apiError(code.failure, withSubject(error).reason)] : []
  })
  const invalid = limitErrors.flatMap(({ fault, path, reason }) => {
    const code: CrossBorderCode = EXCHANGE_LIMIT_CODES[fault].crossBorder
    return 'validation' in code ? [{ code: code.validation, path, reason }] : []
  })
  return { errors: [...validateCurrencies(ordered, countryCode), ...invalid], closed }
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
