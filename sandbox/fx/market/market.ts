/** The traded currencies, their rates, and the market's order of a currency pair. */
import Big from 'big.js'
import market from '../../../data/sandbox-fx/market.json' with { type: 'json' }
import { divide, formatDecimal, fromMinor, parseDecimal, toMinor } from './decimal.ts'

export type TradedCurrency = {
  readonly code: string
  readonly name: string
  /** Decimals that the provider uses: two also for currencies with three. */
  readonly decimals: number
  /** Units for one euro. */
  readonly perEuro: string
  /** London time until which money in this currency must have arrived on the day. */
  readonly cutOff: string
}

/** The market quotes these first, in this order; of other currencies the one that is worth more. */
const NAMED_FIRST = ['EUR', 'GBP', 'AUD', 'NZD', 'USD', 'CAD', 'CHF']
/** Even the lowest rate, with dinars as the most valuable currency, is above 0.2: at least eight significant digits. */
export const RATE_DECIMALS = 8
/** The provider prints every amount with these decimals, whatever its currency. */
const PRINTED_DECIMALS = 2

const traded: ReadonlyMap<string, TradedCurrency> = new Map(market.currencies.map((one) => [one.code, one]))

export const currenciesTraded: readonly TradedCurrency[] = market.currencies

export function currencyOf(code: string): TradedCurrency | undefined {
  return traded.get(code)
}

/** The currency of a stored row. */
export function requireCurrency(code: string): TradedCurrency {
  const known = traded.get(code)
  if (known === undefined) {
    throw new Error(`The sandbox's provider does not deal in ${code} any more`)
  }
  return known
}

/** Two currencies in market order: a rate is units of the second for one of the first. */
export function pairOf(one: TradedCurrency, other: TradedCurrency): readonly [TradedCurrency, TradedCurrency] {
  return rankOf(one) < rankOf(other) ? [one, other] : [other, one]
}

/** As the market writes it: `EURUSD`. */
export function pairCode(one: string, other: string): string {
  const [first, second] = pairOf(requireCurrency(one), requireCurrency(other))
  return first.code + second.code
}

export function midRate([first, second]: readonly [TradedCurrency, TradedCurrency]): Big {
  return divide(new Big(second.perEuro), new Big(first.perEuro), RATE_DECIMALS)
}

/** Parses an amount into minor units; `decimals` when it has too many of them, undefined when it is not an amount. */
export function parseAmount(text: string, { decimals }: TradedCurrency): bigint | 'decimals' | undefined {
  const read = parseDecimal(text)
  if (read === undefined) {
    return undefined
  }
  return read.eq(read.round(decimals, Big.roundDown)) ? toMinor(read, decimals) : 'decimals'
}

/** The format of amounts in most responses: `1000.00`, also for yen. */
export function formatAmount(minor: bigint, code: string): string {
  return formatDecimal(fromMinor(minor, requireCurrency(code).decimals), PRINTED_DECIMALS)
}

/** The format of amounts in quotes: `100.0`. */
export function formatQuotedAmount(minor: bigint, code: string): string {
  return formatDecimal(fromMinor(minor, requireCurrency(code).decimals), 1)
}

function rankOf({ code, perEuro }: TradedCurrency): number {
  const place = NAMED_FIRST.indexOf(code)
  return place < 0 ? NAMED_FIRST.length + Number(perEuro) : place
}
