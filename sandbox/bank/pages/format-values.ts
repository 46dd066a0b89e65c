/** Formats amounts, accounts and dates in the Nordic style. */
import { formatAmount, groupDigits, type Money } from '../../../gateway/platform/money.ts'
import type { BankProfile } from '../fixture.ts'
import { inGroupsOfFour } from '../national/check-digits.ts'
import { rulesOf } from '../national/rules-by-country.ts'

const NO_BREAK_SPACE = '\u00a0'
const MINUS = '\u2212'

/** `12 500,00 NOK`. */
export function amountText(money: Money): string {
  const [whole = '', fraction] = formatAmount(money).replace('-', MINUS).split('.')
  const grouped = groupDigits(whole, NO_BREAK_SPACE)
  return `${grouped}${fraction === undefined ? '' : `,${fraction}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `8050.11.00017`, or the format of the bank's country; an IBAN in groups of four. */
export function accountText(bank: BankProfile, number: string): string {
  return /^[A-Z]/.test(number) ? inGroupsOfFour(number) : rulesOf(bank).printAccount(number)
}

/** `21.11.2026`. */
export function dateText(date: Temporal.PlainDate): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(date.day)}.${two(date.month)}.${date.year}`
}

/** `21.11.2026 14:03`, in the bank's time zone. */
export function instantText(at: Temporal.Instant, timeZone: string): string {
  const local = at.toZonedDateTimeISO(timeZone)
  return `${dateText(local.toPlainDate())} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
