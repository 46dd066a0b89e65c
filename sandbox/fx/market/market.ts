/** What the provider deals in: currencies, their rates, and the order in which the market names a pair. */
import market from '../../../data/sandbox-fx/market.json' with { type: 'json' }
import { type Decimal, decimal, over, printDecimal, readDecimal } from './decimal.ts'

/** A currency that the provider deals in. */
export type Traded = {
  readonly code: string
  readonly name: string
  /** As the provider counts them: two also of currencies with three. */
  readonly decimals: number
  /** Units for one euro. */
  readonly perEuro: string
  /** London time until which money of it must be there on the day. */
  readonly cutOff: string
}

/** The market names these first, in this order; of others the one that is worth more. */
const NAMED_FIRST = ['EUR', 'GBP', 'AUD', 'NZD', 'USD', 'CAD', 'CHF']
/** Rates are a fifth and more, dinars being worth the most, so these are at least eight significant digits. */
export const RATE_DECIMALS = 8
/** What the provider prints of every amount, whatever its currency. */
const PRINTED_DECIMALS = 2

const traded: ReadonlyMap<string, Traded> = new Map(market.currencies.map((one) => [one.code, one]))

export const currenciesTraded: readonly Traded[] = market.currencies

export function currencyOf(code: string): Traded | undefined {
  return traded.get(code)
}

/** A currency of a stored row. */
export function knownCurrency(code: string): Traded {
  const known = traded.get(code)
  if (known === undefined) {
    throw new Error(`The sandbox's provider does not deal in ${code} any more`)
  }
  return known
}

/** Two currencies as the market names them: a rate is units of the second for one of the first. */
export function pairOf(one: Traded, other: Traded): readonly [Traded, Traded] {
  return rankOf(one) < rankOf(other) ? [one, other] : [other, one]
}

/** The rate midway between buying and selling. */
export function midRate([first, second]: readonly [Traded, Traded]): Decimal {
  return over(decimal(second.perEuro), decimal(first.perEuro), RATE_DECIMALS)
}

/** Reads an amount in minor units; `decimals` when it has too many of them, undefined when it is no amount. */
export function readAmount(text: string, { decimals }: Traded): bigint | 'decimals' | undefined {
  const read = readDecimal(text)
  if (read === undefined) {
    return undefined
  }
  const { digits, scale } = read
  const surplus = 10n ** BigInt(Math.max(scale - decimals, 0))
  return digits % surplus === 0n ? (digits / surplus) * 10n ** BigInt(Math.max(decimals - scale, 0)) : 'decimals'
}

/** As most answers print amounts: `1000.00`, also of yen. */
export function printAmount(minor: bigint, code: string): string {
  return printDecimal({ digits: minor, scale: knownCurrency(code).decimals }, PRINTED_DECIMALS)
}

/** As quotes print amounts: `100.0`. */
export function printQuoted(minor: bigint, code: string): string {
  return printDecimal({ digits: minor, scale: knownCurrency(code).decimals }, 1)
}

function rankOf({ code, perEuro }: Traded): number {
  const place = NAMED_FIRST.indexOf(code)
  return place < 0 ? NAMED_FIRST.length + Number(perEuro) : place
}
