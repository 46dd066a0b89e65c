/** Calculates with rates in exact decimals, rounding half up, never in floating point. */
import Big from 'big.js'
import { currencyScale, formatAmount, type Money } from '../../platform/money.ts'

/** Decimals of intermediate results: twice what any rate or amount needs. */
const DECIMALS = 40
const SIGNIFICANT_DIGITS = 10
const PERCENT_DECIMALS = 2
const HUNDRED = 100

const ExactDecimal = Big()
ExactDecimal.DP = DECIMALS
ExactDecimal.RM = ExactDecimal.roundHalfUp
ExactDecimal.strict = false

/** Parses a decimal without loss. */
export function exactDecimal(text: string): Big {
  return new ExactDecimal(text)
}

/** Money as a decimal number of major units. */
export function unitsOf(money: Money): Big {
  return exactDecimal(formatAmount(money))
}

/** Major units as money, rounded half up to the scale of the currency. Throws for an unknown currency. */
export function moneyOf(units: Big, currency: string): Money {
  const scale = currencyScale(currency)
  if (scale === undefined) {
    throw new Error(`No currency is called ${currency}`)
  }
  return { minor: BigInt(units.round(scale, ExactDecimal.roundHalfUp).toFixed(scale).replace('.', '')), currency }
}

/** The price of one unit of `bought` in the currency of `cost`: a decimal with ten significant digits. */
export function rateOf(cost: Money, bought: Money): string {
  const rate = unitsOf(cost).div(unitsOf(bought))
  return rate.toFixed(Math.max(0, SIGNIFICANT_DIGITS - 1 - rate.e), ExactDecimal.roundHalfUp)
}

/** Adds the margin to a price. */
export function withMargin(price: Money, percent: string): Money {
  return moneyOf(unitsOf(price).times(exactDecimal(percent).plus(HUNDRED)).div(HUNDRED), price.currency)
}

/** The price that is contained in a cost with margin. */
export function withoutMargin(paid: Money, percent: string): Money {
  return moneyOf(unitsOf(paid).times(HUNDRED).div(exactDecimal(percent).plus(HUNDRED)), paid.currency)
}

/** The markup of a cost over the reference rate in percent; negative when the cost is below it. */
export function markupOver(cost: Money, bought: Money, rate: Big): string {
  const atRate = unitsOf(bought).times(rate)
  const markup = unitsOf(cost)
    .minus(atRate)
    .times(HUNDRED)
    .div(atRate)
    .toFixed(PERCENT_DECIMALS, ExactDecimal.roundHalfUp)
  return /^-0\.?0*$/.test(markup) ? markup.slice(1) : markup
}
