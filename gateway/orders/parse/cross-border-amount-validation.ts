/** Validates the money of a cross-border payment: currencies, decimals and the bank's limit. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { currencyScale, parseMoney } from '../../platform/money.ts'
import { requiresExchange } from './cross-border-destination.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

export function checkDebtorCurrency({ from }: CrossBorderPayment): RuleResult {
  return checkCurrency(from.currency)
}

export function checkAmountCurrency({ amount }: CrossBorderPayment): RuleResult {
  return checkCurrency(amount.currency)
}

/** Requires a positive amount with the decimals of the currency. The limits of exchange are validated separately. */
export function checkAmount(order: CrossBorderPayment, { bank }: ValidationContext): RuleResult {
  const { amount: text, currency } = order.amount
  const [scale, path] = [currencyScale(currency), '.amount.amount']
  if (scale === undefined) {
    return undefined
  }
  if ((text.split('.')[1]?.length ?? 0) > scale) {
    const decimals = scale === 0 ? 'no decimals' : `${scale} decimals`
    return {
      code: 'InvalidQuoteCurrencyScale',
      reason: `has too many decimals: ${currency} has ${decimals}`,
      path,
    }
  }
  const money = parseMoney(text, currency)
  if (money === undefined || money.minor === 0n) {
    return { ...invalid('must be more than zero'), path }
  }
  const max = bank.profile.crossBorder?.amountMax[currency]
  const limit = max === undefined || requiresExchange(order) ? undefined : parseMoney(max, currency)
  return limit !== undefined && money.minor > limit.minor
    ? {
        ...invalid(`is above ${max} ${currency}, the limit of ${bank.name} for one cross-border payment`),
        path,
      }
    : undefined
}

function checkCurrency(currency: string): RuleResult {
  return currencyScale(currency) === undefined ? invalid(`${currency} is not an ISO 4217 currency`) : undefined
}

function invalid(reason: string) {
  return { code: 'InvalidRequest', reason } as const
}
