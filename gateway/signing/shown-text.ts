/** Writes amounts, days and account numbers as a page shows them to people, whatever country they are in. */
import { type Money, printAmount } from '../foundation/money.ts'

const NO_BREAK_SPACE = '\u00a0'

/** `12 500.00 NOK`, the thousands apart so that nobody miscounts zeros. */
export function amountText(money: Money): string {
  const [whole = '', fraction] = printAmount(money).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE)
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `21 November 2026`: a month in letters cannot be taken for a day. */
export function dayText(day: Temporal.PlainDate): string {
  return day.toLocaleString('en-GB', { dateStyle: 'long' })
}
