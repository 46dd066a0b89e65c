/** Prices an exchange: the mid-market rate with the provider's margin of half a percent. */
import type { FixedSide } from '../tables.ts'
import { type Decimal, decimal, divide, formatDecimal, multiply, toScale } from './decimal.ts'
import { midRate, pairOf, RATE_DECIMALS, type TradedCurrency } from './market.ts'

/** Factor on the mid-market rate, to the client's disadvantage. */
const MARGIN = decimal('1.005')

export type PriceRequest = {
  readonly buy: TradedCurrency
  readonly sell: TradedCurrency
  readonly fixedSide: FixedSide
  /** Of the fixed side. */
  readonly minor: bigint
}

export type Price = {
  readonly buyMinor: bigint
  readonly sellMinor: bigint
  readonly clientRate: string
  readonly midRate: string
}

/** The other amount is computed from the printed rate, rounded half up. */
export function priceOf({ buy, sell, fixedSide, minor }: PriceRequest): Price {
  const pair = pairOf(buy, sell)
  const mid = midRate(pair)
  const buysFirst = pair[0] === buy
  const client = buysFirst ? toScale(multiply(mid, MARGIN), RATE_DECIMALS) : divide(mid, MARGIN, RATE_DECIMALS)
  // The rate is for one unit of the pair's first currency.
  const isMultiplied = (fixedSide === 'buy') === buysFirst
  const given: Decimal = { digits: minor, scale: (fixedSide === 'buy' ? buy : sell).decimals }
  const { decimals } = fixedSide === 'buy' ? sell : buy
  const other = isMultiplied ? toScale(multiply(given, client), decimals) : divide(given, client, decimals)
  return {
    buyMinor: fixedSide === 'buy' ? minor : other.digits,
    sellMinor: fixedSide === 'sell' ? minor : other.digits,
    clientRate: formatDecimal(client, 4),
    midRate: formatDecimal(mid, 4),
  }
}
