/** Checks Swedish account numbers that begin with a clearing number. */
import { modulus10 } from '../check-digits.ts'
import type { Checked } from '../country.ts'
import { type ClearingRange, hasFifthDigit, isCheckSoft, paddedLength, passesCheck, rangeOf } from './clearing.ts'

const CLEARING_DIGITS = 4

type Parts = { readonly clearing: string; readonly account: string }

/**
 * The number as clearing number and account number without separators. It has one length per bank: the account number
 * is filled up with zeros, and Swedbank's clearing number has its fifth digit, so that it can be read only one way.
 */
export function checkClearingAccount(text: string): Checked<'bban'> {
  const digits = text.replace(/[ .-]/g, '')
  const clearing = digits.slice(0, CLEARING_DIGITS)
  const range = rangeOf(digits)
  if (range === undefined) {
    return no(`begins with ${clearing}, which is the clearing number of no Swedish bank`)
  }
  return hasFifthDigit(range)
    ? checkSwedbank(text, digits, range)
    : judged({ clearing, account: digits.slice(CLEARING_DIGITS) }, range)
}

/** The fifth digit may be left out, and it may look like the first of the account number. */
function checkSwedbank(text: string, digits: string, range: ClearingRange): Checked<'bban'> {
  const clearing = digits.slice(0, CLEARING_DIGITS)
  const fifth = String(modulus10(clearing))
  const without: Parts = { clearing: clearing + fifth, account: digits.slice(CLEARING_DIGITS) }
  const isFifthMarked = /^[ .]*[0-9]{4}([ .-]+[0-9][ .-]|[0-9][ .-])/.test(text)
  if (digits[CLEARING_DIGITS] !== fifth) {
    const isFifthWrong = isFifthMarked || without.account.length > range.accountMaxLength
    return isFifthWrong
      ? no(`has a wrong clearing number: ${clearing} ends in the check digit ${fifth}`)
      : judged(without, range)
  }
  const within: Parts = { clearing: clearing + fifth, account: digits.slice(CLEARING_DIGITS + 1) }
  const reading = isFifthMarked ? undefined : [within, without].find((parts) => isClean(judged(parts, range)))
  return judged(reading ?? within, range)
}

function judged({ clearing, account }: Parts, range: ClearingRange): Checked<'bban'> {
  const { bank, accountMinLength: min, accountMaxLength: max } = range
  if (account.length < min || account.length > max) {
    const lengths = min === max ? `${min}` : `${min} to ${max}`
    return no(`has ${account.length} digits after the clearing number ${clearing}; ${bank} has ${lengths}`)
  }
  if (/^0+$/.test(account)) {
    return no(`has only zeros after the clearing number ${clearing}`)
  }
  const padded = account.padStart(paddedLength(range), '0')
  const bban = clearing + padded
  if (passesCheck(range, clearing.slice(0, CLEARING_DIGITS), padded)) {
    return { ok: true, bban }
  }
  const reason = `has a wrong check digit for ${bank} (clearing number ${clearing})`
  return isCheckSoft(range) ? { ok: true, bban, warning: `${reason}, as some old accounts there have` } : no(reason)
}

function isClean(checked: Checked<'bban'>): boolean {
  return checked.ok && checked.warning === undefined
}

function no(reason: string): Checked<'bban'> {
  return { ok: false, reason }
}
