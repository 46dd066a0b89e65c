/** Prices an exchange: the rate in the middle, and half a percent of it for the provider. */
import type { FixedSide } from '../tables.ts'
import { type Decimal, decimal, over, printDecimal, times, toScale } from './decimal.ts'
import { midRate, pairOf, RATE_DECIMALS, type Traded } from './market.ts'

/** The middle times this, against whoever asks. */
const MARGIN = decimal('1.005')

export type PriceAsked = {
  readonly buy: Traded
  readonly sell: Traded
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

/** The amount that is not given follows from the printed rate, rounded half up. */
export function priceOf({ buy, sell, fixedSide, minor }: PriceAsked): Price {
  const pair = pairOf(buy, sell)
  const mid = midRate(pair)
  const buysFirst = pair[0] === buy
  const client = buysFirst ? toScale(times(mid, MARGIN), RATE_DECIMALS) : over(mid, MARGIN, RATE_DECIMALS)
  // What is bought is multiplied by a rate that is for one of it, and divided by one that is for one of what is sold.
  const isMultiplied = (fixedSide === 'buy') === buysFirst
  const given: Decimal = { digits: minor, scale: (fixedSide === 'buy' ? buy : sell).decimals }
  const { decimals } = fixedSide === 'buy' ? sell : buy
  const other = isMultiplied ? toScale(times(given, client), decimals) : over(given, client, decimals)
  return {
    buyMinor: fixedSide === 'buy' ? minor : other.digits,
    sellMinor: fixedSide === 'sell' ? minor : other.digits,
    clientRate: printDecimal(client, 4),
    midRate: printDecimal(mid, 4),
  }
}
