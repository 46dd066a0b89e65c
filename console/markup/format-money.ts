/** Formats amounts and numbers as readers in the Nordic countries write them. */
import { formatAmount, type Money } from '../../gateway/platform/money.ts'

const NO_BREAK_SPACE = '\u00a0'
/** Before every third digit from the right, except in front of the first. */
const GROUP = /\B(?=(\d{3})+(?!\d))/g

/** `1 234 567,50 NOK`, which is not broken between lines. */
export function formatMoneyForReaders(money: Money): string {
  const [units = '', decimals] = formatAmount(money).split('.')
  return `${grouped(units)}${decimals === undefined ? '' : `,${decimals}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `10 000` */
export function formatCount(count: number): string {
  return grouped(count.toString())
}

function grouped(units: string): string {
  return units.replaceAll(GROUP, NO_BREAK_SPACE)
}
