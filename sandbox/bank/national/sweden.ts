/** Validates Swedish account numbers, giro numbers and references: clearing numbers, Bankgiro, Plusgiro, OCR. */
import clearing from '../../../data/swedish-clearing.json' with { type: 'json' }
import { fitsModulus10, isIban, makeIban, weightedSum } from './check-digits.ts'
import type { NationalRules } from './national-rules.ts'

const OCR = /^[0-9]{2,25}$/
const SEPARATORS = /[ .-]/g
const CLEARING_DIGITS = 4
/** Clearing numbers of 8xxx have an additional check digit. */
const LONG_CLEARING_DIGITS = 5
const FILLED_ACCOUNT_DIGITS = 10
const IBAN_ACCOUNT_DIGITS = 17
const WEIGHTS_FROM_10 = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
const WEIGHTS_OF_11 = [1, ...WEIGHTS_FROM_10]
const WEIGHTS_FROM_9 = [9, 8, 7, 6, 5, 4, 3, 2, 1]

type Range = (typeof clearing.ranges)[number]

export const sweden: NationalRules = {
  readAccount: readSwedishAccount,
  ibanOf: ibanOfSwedish,
  numberOfIban: (iban) => (isIban(iban) && iban.length === 24 ? (numberInside(iban) ?? iban) : undefined),
  printAccount: printSwedishAccount,
  isReference: (text) => OCR.test(text) && fitsModulus10(text),
  letters: /^[a-zA-Z0-9/\-?:().,'+ ÅÄÖåäöÉéÜü&]*$/,
  words: {
    account: 'a valid Swedish one',
    reference: 'OCR',
    login: 'BankID',
    paid: 'Betalning',
    received: 'Insättning',
  },
}

/** `5839-8257466`, `8327-9,333953909`; giro numbers with their names: `Bankgiro 5402-9681`, `Plusgiro 90 20 03-3`. */
function printSwedishAccount(number: string): string {
  if (/^\d{3,4}-\d{4}$/.test(number)) {
    return `Bankgiro ${number}`
  }
  return /^\d+-\d$/.test(number)
    ? `Plusgiro ${number.replaceAll(/(?<=\d)(?=(?:\d\d){1,3}-)/g, ' ')}`
    : number.replace(/^(8\d{3})(\d)(?=\d{10}$)0{0,8}(\d{2,10})$/, '$1-$2,$3').replace(/^(\d{4})(\d{7,10})$/, '$1-$2')
}

/** A Bankgiro or Plusgiro number in its printed form, e.g. `5990-0019` and `599001-5`; undefined when it is invalid. */
export function readGiroNumber(scheme: 'bankgiro' | 'plusgiro', text: string): string | undefined {
  const form = scheme === 'bankgiro' ? /^([0-9]{3,4})-?([0-9]{4})$/ : /^([0-9]{1,7})-?([0-9])$/
  const [, head = '', tail = ''] = form.exec(text.replaceAll(' ', '')) ?? []
  return head !== '' && fitsModulus10(head + tail) ? `${head}-${tail}` : undefined
}

/** Whether an OCR reference has a valid length digit before its check digit. */
export function hasLengthDigit(reference: string): boolean {
  return Number(reference.at(-2)) === reference.length % 10
}

/** Clearing and account number without separators; the account number padded to its bank's full length. */
function readSwedishAccount(text: string): string | undefined {
  const digits = text.replace(SEPARATORS, '')
  const range = rangeOf(digits)
  const account = digits.slice(CLEARING_DIGITS)
  if (!/^[0-9]+$/.test(digits) || range === undefined || account.length < range.accountMinLength) {
    return undefined
  }
  // A five-digit clearing number of 8xxx adds one digit.
  const isLong = range.ibanMethod === 3
  if (account.length > range.accountMaxLength + (isLong ? 1 : 0)) {
    return undefined
  }
  const filled = range.comment === 2 && range.type === 2 ? account.padStart(range.accountMaxLength, '0') : account
  return isSoundAccount(range, digits, filled) ? digits.slice(0, CLEARING_DIGITS) + filled : undefined
}

function isSoundAccount({ type, comment }: Range, digits: string, account: string): boolean {
  switch (`${type}/${comment}`) {
    case '1/1':
      return weightedSum(digits.slice(1), WEIGHTS_FROM_10) % 11 === 0
    case '1/2':
      return weightedSum(digits, WEIGHTS_OF_11) % 11 === 0
    case '2/1':
      return fitsModulus10(account)
    case '2/2':
      return weightedSum(account, WEIGHTS_FROM_9) % 11 === 0
    default:
      // Some genuine numbers of the savings banks and Plusgirot fail every check.
      return true
  }
}

function ibanOfSwedish(number: string): string | null {
  const range = rangeOf(number)
  if (range === undefined || range.ibanId === null) {
    return null
  }
  const inside = numberInIban(range, number)
  return inside.length > IBAN_ACCOUNT_DIGITS
    ? null
    : makeIban('SE', range.ibanId + inside.padStart(IBAN_ACCOUNT_DIGITS, '0'))
}

function numberInIban({ ibanMethod }: Range, number: string): string {
  const filled = (clearingDigits: number) =>
    number.slice(0, clearingDigits) + number.slice(clearingDigits).padStart(FILLED_ACCOUNT_DIGITS, '0')
  switch (ibanMethod) {
    case 2:
      return number.slice(CLEARING_DIGITS)
    case 3:
      return filled(LONG_CLEARING_DIGITS)
    case 4:
      return filled(CLEARING_DIGITS)
    default:
      return number
  }
}

/** Clearing and account number where both can be derived from the IBAN. */
function numberInside(iban: string): string | undefined {
  const number = iban.slice(-11)
  return ibanOfSwedish(number) === iban && rangeOf(number)?.ibanMethod === 1 ? readSwedishAccount(number) : undefined
}

function rangeOf(digits: string): Range | undefined {
  const code = Number(digits.slice(0, CLEARING_DIGITS))
  return clearing.ranges.find(({ from, to }) => code >= from && code <= to)
}
