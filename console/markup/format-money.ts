/** Formats amounts and numbers as readers in the Nordic countries write them. */
import { formatAmount, groupDigits, type Money } from '../../gateway/platform/money.ts'

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
