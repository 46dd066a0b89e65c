/** Distinguishes Swedish clearing and account numbers, Bankgiro and Plusgiro numbers, and validates each. */
import { passesModulus10 } from '../check-digits.ts'
import type { CheckResult } from '../country.ts'
import { withPlainSeparators } from '../separators.ts'
import { checkClearingAccount } from './clearing-account-number.ts'
import { clearingRangeOf, isCheckAdvisory } from './clearing-numbers.ts'
import { checkBankgiro, checkPlusgiro } from './giro.ts'

const PLUSGIRO_DIGITS_MAX_UNMARKED = 6
const GIRO_DIGITS_MAX = 8
const ACCOUNT_DIGITS_MIN = 11
const PERSONAL_ACCOUNT_DIGITS = 10

/** Accepts numbers with or without separators; the prefix `BG` or `PG` determines the type. */
export function checkSwedishAccountNumber(text: string): CheckResult<'bban'> {
  const plain = withPlainSeparators(text)
  const written = plain.replaceAll(' ', '').toUpperCase()
  const [, giro, number] = /^(BG|PG):?(.*)$/.exec(written) ?? []
  if (giro !== undefined && number !== undefined) {
    return giro === 'BG' ? checkBankgiro(number) : checkPlusgiro(number)
  }
  if (/^SE[0-9]{2}/.test(written)) {
    return invalid('is an IBAN; a domestic payment requires clearing and account number, Bankgiro or Plusgiro')
  }
  return /^[0-9]+(-[0-9]+)*$/.test(written)
    ? checkWithoutPrefix(plain, written)
    : invalid('contains characters other than digits, or misplaced hyphens')
}

/** Hyphens decide first: Bankgiro has one before the last four digits, Plusgiro before the last one. */
function checkWithoutPrefix(text: string, written: string): CheckResult<'bban'> {
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

/** Both use the same check digit, so it cannot distinguish plain numbers of seven or eight digits. */
function checkBareGiro(digits: string): CheckResult<'bban'> {
  if (digits.length <= PLUSGIRO_DIGITS_MAX_UNMARKED) {
    return checkPlusgiro(digits)
  }
  const checked = checkBankgiro(digits)
  return checked.ok
    ? {
        ...checked,
        warning: `is treated as the Bankgiro number ${checked.bban}; write a Plusgiro number as 1234567-8`,
      }
    : checked
}

/** Few banks have account numbers this short. A birth date and four digits are usually an account at Nordea. */
function checkShort(text: string, digits: string): CheckResult<'bban'> {
  const range = clearingRangeOf(digits)
  const mayBePersonal = digits.length === PERSONAL_ACCOUNT_DIGITS && passesModulus10(digits)
  const hasClearingSeparator = /^[0-9]{4}[ -]/.test(text)
  if (range !== undefined && (hasClearingSeparator || isCheckAdvisory(range))) {
    const checked = checkClearingAccount(text)
    const isDoubtful = !checked.ok || checked.warning !== undefined
    return isDoubtful && mayBePersonal && !hasClearingSeparator ? invalid(PERSONAL) : checked
  }
  if (mayBePersonal) {
    return invalid(PERSONAL)
  }
  return invalid(
    `has ${digits.length} digits: too many for a giro number, or hyphens in other places, and too few for clearing and account number`,
  )
}

const PERSONAL = 'lacks its clearing number; if it is a personal account at Nordea, write 3300 before it'

function invalid(reason: string): CheckResult<'bban'> {
  return { ok: false, reason }
}
