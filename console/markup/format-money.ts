/** Formats amounts as readers in the Nordic countries write them. */
import { formatAmount, type Money } from '../../gateway/platform/money.ts'

const NO_BREAK_SPACE = '\u00a0'
/** Before every third digit from the right, except in front of the first. */
const GROUP = /\B(?=(\d{3})+(?!\d))/g

/** `1 234 567,50 NOK`, which is not broken between lines. */
export function formatMoneyForReaders(money: Money): string {
  const [units = '', decimals] = formatAmount(money).split('.')
  const grouped = units.replaceAll(GROUP, NO_BREAK_SPACE)
  return `${grouped}${decimals === undefined ? '' : `,${decimals}`}${NO_BREAK_SPACE}${money.currency}`
}
