/** Calculates with rates: exactly, half up, and never in floating point. */
import Big from 'big.js'
import { type Money, printAmount, scaleOf } from '../../platform/money.ts'

/** Divisions are carried this far before an amount is rounded to its currency: twice what any rate or amount needs. */
const DECIMALS = 40
const SIGNIFICANT_DIGITS = 10
const PERCENT_DECIMALS = 2
const HUNDRED = 100

const Exact = Big()
Exact.DP = DECIMALS
Exact.RM = Exact.roundHalfUp
Exact.strict = false

/** A number that is kept as it was written. */
export function exact(text: string): Big {
  return new Exact(text)
}

/** Money as a number of its whole units. */
export function unitsOf(money: Money): Big {
  return exact(printAmount(money))
}

/** A number of whole units as money, rounded half up to what the currency has. */
export function moneyOf(units: Big, currency: string): Money {
  const scale = scaleOf(currency)
  if (scale === undefined) {
    throw new Error(`No currency is called ${currency}`)
  }
  return { minor: BigInt(units.round(scale, Exact.roundHalfUp).toFixed(scale).replace('.', '')), currency }
}

/** What one unit of `bought` costs, in the currency of `cost`: ten significant digits, as a decimal. */
export function rateOf(cost: Money, bought: Money): string {
  const rate = unitsOf(cost).div(unitsOf(bought))
  return rate.toFixed(Math.max(0, SIGNIFICANT_DIGITS - 1 - rate.e), Exact.roundHalfUp)
}

/** What is paid where a margin comes on top of a price. */
export function withMargin(price: Money, percent: string): Money {
  return moneyOf(unitsOf(price).times(exact(percent).plus(HUNDRED)).div(HUNDRED), price.currency)
}

/** What is left for the price where what is paid holds a margin. */
export function withoutMargin(paid: Money, percent: string): Money {
  return moneyOf(unitsOf(paid).times(HUNDRED).div(exact(percent).plus(HUNDRED)), paid.currency)
}

/** By how many percent a price is above the one at a rate; below it when negative. */
export function markupOver(cost: Money, bought: Money, rate: Big): string {
  const atRate = unitsOf(bought).times(rate)
  const markup = unitsOf(cost).minus(atRate).times(HUNDRED).div(atRate).toFixed(PERCENT_DECIMALS, Exact.roundHalfUp)
  return /^-0\.?0*$/.test(markup) ? markup.slice(1) : markup
}
