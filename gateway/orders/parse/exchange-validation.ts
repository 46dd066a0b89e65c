/** Validates the exchange of a cross-border payment, in the codes of such payments, and its regulatory reporting. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Context } from '../../context.ts'
import { type ReportingFinding, reportingFindings, reportingTerms } from '../../countries/regulatory-reporting.ts'
import { currencyRules } from '../../fx/availability/currency-rules.ts'
import {
  type CrossBorderCode,
  EXCHANGE_LIMIT_CODES,
  validateExchangeLimits,
} from '../../fx/availability/exchange-limit-validation.ts'
import { serviceStatusAt } from '../../fx/availability/service-hours.ts'
import { convertAtRates, findReferenceRates, getReferenceRates } from '../../fx/rates/get-reference-rates.ts'
import { apiError, type ValidationError, withSubject } from '../../platform/http/errors/api-error.ts'
import type { Money } from '../../platform/money.ts'
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

/** A finding with its path in the order. */
export type LocatedReportingFinding = Pick<ReportingFinding, 'reason' | 'isWarning'> & { readonly path: string }

/**
 * Requires a valid amount and reporting. A currency without a current reference rate counts as above the threshold:
 * superfluous reporting does no harm (decision 0063). Throws `SERVICE_CLOSED` for an exchange when the rates are
 * outdated.
 */
export async function validateRegulatoryReporting(
  context: Context,
  parts: Pick<CrossBorderParts, 'ordered' | 'amount' | 'requiresExchange'>,
  countryCode: string,
): Promise<readonly LocatedReportingFinding[]> {
  const { amount: money, requiresExchange } = parts
  if (money === undefined) {
    return []
  }
  const terms = reportingTerms(countryCode)
  const threshold = terms?.threshold
  const value =
    threshold === undefined
      ? money
      : ((await convertAtCurrentRate(context, money, { currency: threshold.currency, requiresExchange })) ?? {
          ...threshold,
          minor: threshold.minor + 1n,
        })
  return reportingFindings(countryCode, value, parts.ordered.regulatoryReporting).map(
    ({ part, reason, isWarning }) => ({
      path: part === 'regulatoryReporting' ? '.regulatoryReporting' : `.regulatoryReporting.${part}`,
      reason,
      isWarning,
    }),
  )
}

/** Undefined without a rate; outdated rates close the exchange, not the payments that need none. */
async function convertAtCurrentRate(
  context: Context,
  money: Money,
  { currency, requiresExchange }: { readonly currency: string; readonly requiresExchange: boolean },
): Promise<Money | undefined> {
  if (money.currency === currency) {
    return money
  }
  const rates = await (requiresExchange ? getReferenceRates(context) : findReferenceRates(context))
  return rates && convertAtRates(rates, money, currency)
}
