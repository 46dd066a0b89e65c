/** Formats amounts, numbers and shares as readers in the Nordic countries write them. */
import { formatAmount, groupDigits, type Money, parseMoney } from '../../gateway/platform/money.ts'

const NO_BREAK_SPACE = '\u00a0'

/** `1 234 567,50 NOK`, which is not broken between lines. */
export function formatMoneyForReaders(money: Money): string {
  const [units = '', decimals] = formatAmount(money).split('.')
  return `${groupDigits(units, NO_BREAK_SPACE)}${decimals === undefined ? '' : `,${decimals}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `10 000` */
export function formatCount(count: number): string {
  return groupDigits(count.toString(), NO_BREAK_SPACE)
}

/** As readers write it; as ordered where it is no amount of the currency. */
export function orderedAmount({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const money = parseMoney(amount, currency)
  return money === undefined ? `${amount} ${currency}` : formatMoneyForReaders(money)
}

/** `99,5 %`; rounded down, so that 100 % means all. */
export function formatPercentage(part: number, whole: number): string {
  const tenths = Math.floor((1000 * part) / whole)
  return `${(tenths / 10).toString().replace('.', ',')}\u00a0%`
}
