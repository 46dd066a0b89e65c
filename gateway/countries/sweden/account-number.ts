/** Distinguishes Swedish clearing and account numbers, Bankgiro and Plusgiro numbers, and validates each. */

import { withPlainSeparators } from '../../platform/copied-text.ts'
import { passesModulus10 } from '../check-digits.ts'
import { type CheckResult, invalid } from '../country.ts'
import { DIGIT_GROUPS, separatorFault } from '../separators.ts'
import {
  checkBankgiro,
  checkPlusgiro,
  clearingRangeOf,
  giroKind,
  hasFifthDigit,
  isCheckAdvisory,
} from './clearing-numbers.ts'
import { checkClearingAccount } from './iban.ts'

const PLUSGIRO_DIGITS_MAX_UNMARKED = 6
const GIRO_DIGITS_MAX = 8
const ACCOUNT_DIGITS_MIN = 11
const PERSONAL_ACCOUNT_DIGITS = 10
/** Points are separators only where there are several: a single one would be a decimal point. */
const WITH_POINTS = '[0-9]{4}([.][0-9]{2,4}){2,}'
/**
 * Clearing number, at Swedbank possibly with its fifth digit, and account number: `5439-10 240 39`,
 * `8327-9, 33 395 390-9`, `3300 800928 6249`, `9020.12.345.67`.
 */
const CLEARING_ACCOUNT = new RegExp(
  `^([0-9]{4}|8[0-9]{3}[ -]?[0-9])(,? |-|(?<=-[0-9]),)(${DIGIT_GROUPS}(-[0-9]{1,4})?|[0-9]{6} [0-9]{4})$|^${WITH_POINTS}$`,
)
const PLUSGIRO_GROUPS = new RegExp(`^${DIGIT_GROUPS}-[0-9]$`)

/** Accepts numbers with or without separators; the prefix `BG` or `PG` determines the type. */
export function checkSwedishAccountNumber(text: string): CheckResult<'bban'> {
  const written = withPlainSeparators(text)
  const [, giro, number] = /^(BG|PG):? ?(.*)$/i.exec(written) ?? []
  if (giro !== undefined && number !== undefined) {
    return giro.toUpperCase() === 'BG' ? checkBankgiro(number) : checkPlusgiro(withoutPlusgiroGroups(number))
  }
  return /^SE[0-9]{2}/i.test(written)
    ? invalid('is an IBAN; a domestic payment requires clearing and account number, Bankgiro or Plusgiro')
    : checkWithoutPrefix(written)
}

/**
 * `5439-1024039`, at Swedbank `8327-9,333953909` without the zeros that only pad it; giro numbers with their names:
 * `Bankgiro 5402-9681`, `Plusgiro 90 20 03-3`.
 */
export function formatSwedishAccountNumber(bban: string): string {
  const giro = giroKind(bban)
  if (giro !== undefined) {
    return giro === 'bankgiro' ? `Bankgiro ${bban}` : `Plusgiro ${bban.replaceAll(/(?<=\d)(?=(?:\d\d){1,3}-)/g, ' ')}`
  }
  const range = /^\d{11,}$/.test(bban) ? clearingRangeOf(bban) : undefined
  return range !== undefined && hasFifthDigit(range)
    ? bban.replace(/^(\d{4})(\d)0{0,8}(\d{2,10})$/, '$1-$2,$3')
    : bban.replace(/^(\d{4})(\d{7,10})$/, '$1-$2')
}

/** Hyphens decide first: Bankgiro has one before the last four digits, Plusgiro before the last one. */
function checkWithoutPrefix(written: string): CheckResult<'bban'> {
  if (/^[0-9]{3,4}-[0-9]{4}$/.test(written)) {
    return checkBankgiro(written)
  }
  const plusgiro = withoutPlusgiroGroups(written)
  if (/^[0-9]{1,7}-[0-9]$/.test(plusgiro)) {
    return checkPlusgiro(plusgiro)
  }
  const digits = written.replaceAll(/[ .,-]/g, '')
  if (written !== digits && !CLEARING_ACCOUNT.test(written)) {
    return invalid(separatorFault(written, '5439-1024039, 8327-9 333953909, Bankgiro 5402-9681 or Plusgiro 902003-3'))
  }
  if (!/^[0-9]+$/.test(digits)) {
    return invalid('contains characters other than digits')
  }
  if (written === digits && digits.length <= GIRO_DIGITS_MAX) {
    return checkBareGiro(digits)
  }
  return digits.length < ACCOUNT_DIGITS_MIN ? checkShort(written, digits) : checkClearingAccount(written)
}

/** Plusgiro numbers are printed in groups before their check digit: `90 20 03-3`. */
function withoutPlusgiroGroups(written: string): string {
  return PLUSGIRO_GROUPS.test(written) ? written.replaceAll(' ', '') : written
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
