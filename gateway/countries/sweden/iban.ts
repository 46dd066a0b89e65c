/** Converts and validates Swedish IBANs: three digits of the bank, seventeen of the account in a format per bank. */

import { type AccountBank, type CheckResult, invalid, valid } from '../country.ts'
import { ibanCheckDigits, modulus10 } from '../number-checks.ts'
import {
  CLEARING_DIGITS,
  type ClearingRange,
  clearingRangeOf,
  clearingRanges,
  giroKind,
  hasFifthDigit,
  isCheckAdvisory,
  isUnlistedClearingNumber,
  passesCheck,
} from './clearing-numbers.ts'

/** Lengths of account numbers over all banks. */
const ANY_BANK = { digitsMin: 7, digitsMax: 10 }

type Parts = { readonly clearing: string; readonly account: string }

/**
 * Normalises to clearing number and account number without separators. The result has one length per bank, and so is
 * unambiguous: the account number is padded with zeros, and Swedbank's clearing number gets its fifth digit.
 */
export function checkClearingAccount(written: string): CheckResult<'bban'> {
  const digits = written.replaceAll(/[^0-9]/g, '')
  const clearing = digits.slice(0, CLEARING_DIGITS)
  const range = clearingRangeOf(digits)
  if (range === undefined) {
    return checkUnlistedBank({ clearing, account: digits.slice(CLEARING_DIGITS) })
  }
  return hasFifthDigit(range)
    ? checkSwedbank(written, digits, range)
    : validateParts({ clearing, account: digits.slice(CLEARING_DIGITS) }, range)
}

/** The fifth digit may be missing, and may look like the first digit of the account number. */
function checkSwedbank(written: string, digits: string, range: ClearingRange): CheckResult<'bban'> {
  const clearing = digits.slice(0, CLEARING_DIGITS)
  const fifth = String(modulus10(clearing))
  const without: Parts = { clearing: clearing + fifth, account: digits.slice(CLEARING_DIGITS) }
  const isFifthMarked = /^[0-9]{4}[ -]?[0-9][ ,-]/.test(written)
  if (digits[CLEARING_DIGITS] !== fifth) {
    const isFifthWrong = isFifthMarked || without.account.length > range.accountMaxLength
    return isFifthWrong
      ? invalid(`has a wrong clearing number: ${clearing} ends in the check digit ${fifth}`)
      : validateParts(without, range)
  }
  const within: Parts = { clearing: clearing + fifth, account: digits.slice(CLEARING_DIGITS + 1) }
  return isFifthMarked
    ? validateParts(within, range)
    : likelierReading(validateParts(within, range), validateParts(without, range))
}

/** Prefers the reading with a valid check digit; as some valid accounts fail it, the warning names the other one. */
function likelierReading(within: CheckResult<'bban'>, without: CheckResult<'bban'>): CheckResult<'bban'> {
  const [first, second] = isClean(without) && !isClean(within) ? [without, within] : [within, without]
  if (!first.ok || !second.ok) {
    return first.ok ? first : second
  }
  const warning = `may be ${first.bban} or ${second.bban}, and is treated as the first; write the clearing number with its fifth digit and a hyphen after it`
  return first.bban === second.bban ? first : { ...first, warning }
}

/** New banks get clearing numbers between existing ones before our table is updated. */
function checkUnlistedBank({ clearing, account }: Parts): CheckResult<'bban'> {
  if (!isUnlistedClearingNumber(clearing)) {
    return invalid(`begins with ${clearing}, which is not the clearing number of a Swedish bank`)
  }
  if (account.length < ANY_BANK.digitsMin || account.length > ANY_BANK.digitsMax) {
    const { digitsMin, digitsMax } = ANY_BANK
    return invalid(
      `has ${account.length} digits after the clearing number ${clearing}; banks have ${digitsMin} to ${digitsMax}`,
    )
  }
  return /^0+$/.test(account)
    ? invalid(`has only zeros after the clearing number ${clearing}`)
    : valid({ bban: clearing + account }, `begins with ${clearing}, which is not in our table of Swedish banks`)
}

function validateParts({ clearing, account }: Parts, range: ClearingRange): CheckResult<'bban'> {
  const { bank, accountMinLength: min, accountMaxLength: max } = range
  if (account.length < min || account.length > max) {
    const lengths = min === max ? `${min}` : `${min} to ${max}`
    return invalid(`has ${account.length} digits after the clearing number ${clearing}; ${bank} has ${lengths}`)
  }
  if (/^0+$/.test(account)) {
    return invalid(`has only zeros after the clearing number ${clearing}`)
  }
  const padded = account.padStart(max, '0')
  const bban = clearing + padded
  if (passesCheck(range, clearing.slice(0, CLEARING_DIGITS), padded)) {
    return { ok: true, bban }
  }
  const reason = `has a wrong check digit for ${bank} (clearing number ${clearing})`
  return isCheckAdvisory(range) ? valid({ bban }, `${reason}, as some old accounts of the bank have`) : invalid(reason)
}

function isClean(checked: CheckResult<'bban'>): boolean {
  return checked.ok && checked.warning === undefined
}

const ACCOUNT_DIGITS = 17
/** The IBAN method without the clearing number; the others include it. */
const ACCOUNT_ONLY = 2

/** The IBAN of a valid account number; giro numbers have none, and for a few clearing numbers it is ambiguous. */
export function swedishIban(bban: string): string | undefined {
  const range = giroKind(bban) === undefined ? clearingRangeOf(bban) : undefined
  if (range === undefined || range.ibanId === null) {
    return undefined
  }
  const digits = range.ibanMethod === ACCOUNT_ONLY ? bban.slice(-range.accountMaxLength) : bban
  const swiftBban = range.ibanId + digits.padStart(ACCOUNT_DIGITS, '0')
  return `SE${ibanCheckDigits('SE', swiftBban)}${swiftBban}`
}

/** The account number of an IBAN that includes the clearing number. */
export function bbanOfSwedishIban(iban: string): CheckResult<'bban'> {
  const number = withClearing(iban)
  return number === undefined
    ? { ok: false, reason: 'is an IBAN without the clearing number, which domestic payments in Sweden require' }
    : checkClearingAccount(number)
}

/** A wrong check digit is an error; an unknown bank or clearing number is a warning. */
export function checkSwedishIban(iban: string): CheckResult<'iban'> {
  const ranges = rangesOf(iban)
  const number = withClearing(iban)
  if (number !== undefined) {
    const checked = checkClearingAccount(number)
    return checked.ok ? valid({ iban }, checked.warning) : checked
  }
  const accountOnly = ranges.filter(({ ibanMethod }) => ibanMethod === ACCOUNT_ONLY)
  const matching = accountOnly.filter((range) => account(iban, range) !== undefined)
  if (matching.length === 0) {
    return valid({ iban }, `names the bank ${iban.slice(4, 7)} in a format that is not in our table of Swedish banks`)
  }
  return matching.some((range) => passesCheck(range, '', account(iban, range) ?? ''))
    ? valid({ iban })
    : { ok: false, reason: `has a wrong check digit for ${matching[0]?.bank}` }
}

/** The bank of the three digits; all clearing numbers that share them belong to one bank. */
export function bankOfSwedishIban(iban: string): AccountBank | undefined {
  const [range] = rangesOf(iban)
  return range === undefined ? undefined : { bic: range.bic, name: range.bank }
}

function rangesOf(iban: string): readonly ClearingRange[] {
  return clearingRanges.filter(({ ibanId }) => ibanId === iban.slice(4, 7))
}

/** Clearing and account number, if the digits have the length of a clearing account of that bank. */
function withClearing(iban: string): string | undefined {
  const number = iban.slice(7).replace(/^0+/, '')
  const range = clearingRangeOf(number)
  const isComplete =
    range !== undefined &&
    range.ibanId === iban.slice(4, 7) &&
    range.ibanMethod !== ACCOUNT_ONLY &&
    number.length === (range.ibanMethod === 3 ? 5 : 4) + range.accountMaxLength
  return isComplete ? number : undefined
}

/** The account number with its leading zeros, if only zeros precede it. */
function account(iban: string, { accountMaxLength }: ClearingRange): string | undefined {
  return /^0*$/.test(iban.slice(7, -accountMaxLength)) ? iban.slice(-accountMaxLength) : undefined
}
