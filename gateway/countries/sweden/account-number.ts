/** Tells clearing and account numbers, Bankgiro and Plusgiro numbers apart as Swedes write them, and checks each. */
import { passesModulus10 } from '../check-digits.ts'
import type { Checked } from '../country.ts'
import { withPlainSeparators } from '../separators.ts'
import { checkClearingAccount } from './clearing-account-number.ts'
import { isCheckSoft, rangeOf } from './clearing-numbers.ts'
import { checkBankgiro, checkPlusgiro } from './giro.ts'

const PLUSGIRO_DIGITS_MAX_UNMARKED = 6
const GIRO_DIGITS_MAX = 8
const ACCOUNT_DIGITS_MIN = 11
const PERSONAL_ACCOUNT_DIGITS = 10

/** Checks a number with or without separators; `BG` or `PG` before it settles what it is. */
export function checkSwedishAccountNumber(text: string): Checked<'bban'> {
  const plain = withPlainSeparators(text)
  const written = plain.replaceAll(' ', '').toUpperCase()
  const [, giro, number] = /^(BG|PG):?(.*)$/.exec(written) ?? []
  if (giro !== undefined && number !== undefined) {
    return giro === 'BG' ? checkBankgiro(number) : checkPlusgiro(number)
  }
  if (/^SE[0-9]{2}/.test(written)) {
    return no('is an IBAN; a domestic payment takes clearing and account number, Bankgiro or Plusgiro')
  }
  return /^[0-9]+(-[0-9]+)*$/.test(written)
    ? checkUnmarked(plain, written)
    : no('holds something other than digits, or hyphens where none belong')
}

/** Hyphens decide first: before the last four digits in a Bankgiro number, before the last one in a Plusgiro number. */
function checkUnmarked(text: string, written: string): Checked<'bban'> {
  const digits = written.replaceAll('-', '')
  if (/^[0-9]{3,4}-[0-9]{4}$/.test(written)) {
    return checkBankgiro(written)
  }
  if (/^[0-9]{1,7}-[0-9]$/.test(written)) {
    return checkPlusgiro(written)
  }
  if (written === digits && digits.length <= GIRO_DIGITS_MAX) {
    return checkBareGiro(digits)
  }
  return digits.length < ACCOUNT_DIGITS_MIN ? checkShort(text, digits) : checkClearingAccount(text)
}

/** Both giros share the check digit, so that a bare number of seven or eight digits cannot be told apart by it. */
function checkBareGiro(digits: string): Checked<'bban'> {
  if (digits.length <= PLUSGIRO_DIGITS_MAX_UNMARKED) {
    return checkPlusgiro(digits)
  }
  const checked = checkBankgiro(digits)
  return checked.ok
    ? {
        ...checked,
        warning: `is taken for the Bankgiro number ${checked.bban}; a Plusgiro number is written 1234567-8`,
      }
    : checked
}

/** Only some banks have account numbers this short. A birth date and four digits are mostly an account at Nordea. */
function checkShort(text: string, digits: string): Checked<'bban'> {
  const range = rangeOf(digits)
  const mayBePersonal = digits.length === PERSONAL_ACCOUNT_DIGITS && passesModulus10(digits)
  const marksClearing = /^[0-9]{4}[ -]/.test(text)
  if (range !== undefined && (marksClearing || isCheckSoft(range))) {
    const checked = checkClearingAccount(text)
    const isDoubtful = !checked.ok || checked.warning !== undefined
    return isDoubtful && mayBePersonal && !marksClearing ? no(PERSONAL) : checked
  }
  if (mayBePersonal) {
    return no(PERSONAL)
  }
  return no(
    `has ${digits.length} digits: too many for a giro number, or hyphens in other places, and too few for clearing and account number`,
  )
}

const PERSONAL = 'lacks its clearing number; if it is a personal account at Nordea, write 3300 before it'

function no(reason: string): Checked<'bban'> {
  return { ok: false, reason }
}
