/** The traded currencies, their rates in exact decimals, and the market's order of a currency pair. */
import Big from 'big.js'
import market from '../../../data/sandbox-fx/market.json' with { type: 'json' }

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

/** Parses a plain decimal such as `11.2425`; undefined when the text is not one. */
function parseDecimal(text: string): Big | undefined {
  return /^[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text) ? new Big(text) : undefined
}

/** Rounded half up to a scale, once. */
export function divide(dividend: Big, divisor: Big, scale: number): Big {
  const Scaled = Big()
  Scaled.DP = scale
  return new Scaled(dividend).div(divisor)
}

export function fromMinor(minor: bigint, decimals: number): Big {
  return new Big(`${minor}e-${decimals}`)
}

/** Rounded half up to minor units. */
export function toMinor(value: Big, decimals: number): bigint {
  return BigInt(value.times(`1e${decimals}`).toFixed(0, Big.roundHalfUp))
}

/** Without trailing zeros, but with at least `decimalsMin` decimals. */
export function formatDecimal(value: Big, decimalsMin: number): string {
  const all = value.toFixed()
  const decimals = all.split('.')[1] ?? ''
  return decimals.length < decimalsMin ? value.toFixed(decimalsMin) : all
}
