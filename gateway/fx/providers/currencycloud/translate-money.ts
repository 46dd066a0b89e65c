/** Parses the provider's amounts and rates without loss, and formats ours. */
import Big from 'big.js'
import { currencyScale, formatAmount, type Money } from '../../../platform/money.ts'

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,10}))?$/
const RATE = /^\d{1,12}(\.\d{1,12})?$/
/** Enough to distinguish the amounts of two quotes in the largest deal. */
const RATE_DIGITS = 12

/**
 * Parses an amount such as `1000.00`, also of a currency without decimals, or a number; undefined when it is invalid or
 * has more decimals than the currency.
 */
export function moneyOf(amount: string | number, currency: string): Money | undefined {
  const scale = currencyScale(currency)
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(String(amount)) ?? []
  const exact = fraction.replace(/(?<!0)0+$/, '')
  if (scale === undefined || whole === undefined || exact.length > scale) {
    return undefined
  }
  const minor = BigInt(whole + exact.padEnd(scale, '0'))
  return { minor: sign === '-' ? -minor : minor, currency }
}

/** Formats an amount with two decimals at most where that is exact: the provider rarely supports a third one. */
export function amountText(money: Money): string {
  return formatAmount(money).replace(/(\.\d\d)0+$/, '$1')
}

/** Converts a rate of the market pair (`EURUSD`: dollars per euro) to units of the sold currency per bought unit. */
export function perBoughtUnit(
  rate: string | null | undefined,
  pair: string,
  { buyCurrency, sellCurrency }: { readonly buyCurrency: string; readonly sellCurrency: string },
): string | null {
  if (rate === null || rate === undefined || !RATE.test(rate) || Number(rate) === 0) {
    return null
  }
  if (pair === `${buyCurrency}${sellCurrency}`) {
    return new Big(rate).toFixed()
  }
  return pair === `${sellCurrency}${buyCurrency}` ? inverseOf(rate) : null
}

function inverseOf(rate: string): string {
  const Precise = Big()
  Precise.DP = 40
  return new Precise(1).div(rate).prec(RATE_DIGITS).toFixed()
}
