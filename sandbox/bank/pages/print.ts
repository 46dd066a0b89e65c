/** Prints amounts, accounts, dates and statuses for people, the Norwegian way. */
import { type Money, printAmount } from '../../../gateway/foundation/money.ts'
import type { TransactionStatus } from '../payments/payment.ts'

const NO_BREAK_SPACE = '\u00a0'
const MINUS = '\u2212'

/** `12 500,00 NOK`. */
export function amountText(money: Money): string {
  const [whole = '', fraction] = printAmount(money).replace('-', MINUS).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, NO_BREAK_SPACE)
  return `${grouped}${fraction === undefined ? '' : `,${fraction}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `8050.11.00017`. */
export function accountText(bban: string): string {
  return bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3')
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

/** What a status means to somebody who does not know the codes. */
export const statusText: Readonly<Record<TransactionStatus, string>> = {
  RCVD: 'received, not signed',
  PDNG: 'being checked',
  PATC: 'needs another signature',
  ACTC: 'accepted',
  ACCP: 'accepted',
  ACFC: 'accepted, funds checked',
  ACWC: 'accepted with a change',
  ACWP: 'on its way',
  ACSP: 'being executed',
  ACSC: 'paid',
  ACCC: 'paid, in the receiver’s account',
  PART: 'partly accepted',
  RJCT: 'rejected',
  CANC: 'cancelled',
}
