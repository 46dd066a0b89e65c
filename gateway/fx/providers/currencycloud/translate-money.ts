/** Reads the provider's amounts and rates exactly, and writes ours as it takes them. */
import Big from 'big.js'
import { type Money, printAmount, scaleOf } from '../../../platform/money.ts'

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,10}))?$/
const RATE = /^\d{1,12}(\.\d{1,12})?$/
/** As many as tell apart the amounts of two quotes in the largest deal. */
const RATE_DIGITS = 12

/**
 * An amount such as `1000.00`, also of a currency without decimals, or a number; undefined when it has more decimals than
 * the currency, or is none.
 */
export function moneyOf(amount: string | number, currency: string): Money | undefined {
  const scale = scaleOf(currency)
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(String(amount)) ?? []
  const exact = fraction.replace(/0+$/, '')
  if (scale === undefined || whole === undefined || exact.length > scale) {
    return undefined
  }
  const minor = BigInt(whole + exact.padEnd(scale, '0'))
  return { minor: sign === '-' ? -minor : minor, currency }
}

/** An amount with two decimals at most where that is exact: the provider knows no third one of most currencies. */
export function amountText(money: Money): string {
  return printAmount(money).replace(/(\.\d\d)0+$/, '$1')
}

/** A rate of the market's pair, `EURUSD` being dollars for a euro, as units of the sold currency for one of the bought. */
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
