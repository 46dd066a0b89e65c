/** The rules on the money of a cross-border payment: its currencies, its decimals, and what the bank takes at most. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { Finding, Situation } from '../../orders/instructions/validation-context.ts'
import { parseMoney, scaleOf } from '../../platform/money.ts'
import { isExchanged } from './requires-exchange.ts'

export function checkSenderCurrency({ from }: CrossBorderPayment): Finding {
  return checkCurrency(from.currency)
}

export function checkAmountCurrency({ amount }: CrossBorderPayment): Finding {
  return checkCurrency(amount.currency)
}

/** More than nothing, in decimals that the currency has. Limits on exchange are asked of the exchange. */
export function checkAmount(order: CrossBorderPayment, { bank }: Situation): Finding {
  const { amount: text, currency } = order.amount
  const [scale, path] = [scaleOf(currency), '.amount.amount']
  if (scale === undefined) {
    return undefined
  }
  if ((text.split('.')[1]?.length ?? 0) > scale) {
    const decimals = scale === 0 ? 'no decimals' : `${scale} decimals`
    return {
      code: 'InvalidQuoteCurrencyScale',
      reason: `has more decimals than ${currency}, which has ${decimals}`,
      path,
    }
  }
  const money = parseMoney(text, currency)
  if (money === undefined || money.minor === 0n) {
    return { ...invalid('must be more than zero'), path }
  }
  const max = bank.profile.crossBorder?.amountMax[currency]
  const limit = max === undefined || isExchanged(order) ? undefined : parseMoney(max, currency)
  return limit !== undefined && money.minor > limit.minor
    ? {
        ...invalid(`is above ${max} ${currency}, the most that ${bank.name} takes in one payment across borders`),
        path,
      }
    : undefined
}

function checkCurrency(currency: string): Finding {
  return scaleOf(currency) === undefined ? invalid(`${currency} is no currency of ISO 4217`) : undefined
}

function invalid(reason: string) {
  return { code: 'InvalidRequest', reason } as const
}
