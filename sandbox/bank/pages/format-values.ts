/** Prints amounts, accounts and dates for people, the Nordic way. */
import { type Money, printAmount } from '../../../gateway/platform/money.ts'
import type { BankProfile } from '../fixture.ts'
import { rulesOf } from '../national/rules-by-country.ts'

const NO_BREAK_SPACE = '\u00a0'
const MINUS = '\u2212'

/** `12 500,00 NOK`. */
export function amountText(money: Money): string {
  const [whole = '', fraction] = printAmount(money).replace('-', MINUS).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE)
  return `${grouped}${fraction === undefined ? '' : `,${fraction}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `8050.11.00017`, or as else the bank's country writes account numbers; giro numbers stay as they are. */
export function accountText(bank: BankProfile, number: string): string {
  return /^\d+$/.test(number) ? rulesOf(bank).printAccount(number) : number
}

/** `21.11.2026`. */
export function dateText(date: Temporal.PlainDate): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(date.day)}.${two(date.month)}.${date.year}`
}

/** `21.11.2026 14:03`, in the bank's time. */
export function instantText(at: Temporal.Instant, timeZone: string): string {
  const local = at.toZonedDateTimeISO(timeZone)
  return `${dateText(local.toPlainDate())} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
