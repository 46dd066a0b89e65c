/** Checks Swedish account numbers that begin with a clearing number. */
import { modulus10 } from '../check-digits.ts'
import type { Checked } from '../country.ts'
import { withoutSeparators, withPlainSeparators } from '../separators.ts'
import {
  type ClearingRange,
  hasFifthDigit,
  isAmongListed,
  isCheckSoft,
  paddedLength,
  passesCheck,
  rangeOf,
} from './clearing-numbers.ts'

const CLEARING_DIGITS = 4
/** How long account numbers are at banks of every kind. */
const ANY_BANK = { digitsMin: 7, digitsMax: 10 }

type Parts = { readonly clearing: string; readonly account: string }

/**
 * The number as clearing number and account number without separators. It has one length per bank: the account number
 * is filled up with zeros, and Swedbank's clearing number has its fifth digit, so that it can be read only one way.
 */
export function checkClearingAccount(text: string): Checked<'bban'> {
  const digits = withoutSeparators(text)
  const clearing = digits.slice(0, CLEARING_DIGITS)
  const range = rangeOf(digits)
  if (range === undefined) {
    return ofUnlistedBank({ clearing, account: digits.slice(CLEARING_DIGITS) })
  }
  return hasFifthDigit(range)
    ? checkSwedbank(withPlainSeparators(text), digits, range)
    : judged({ clearing, account: digits.slice(CLEARING_DIGITS) }, range)
}

/** The fifth digit may be left out, and it may look like the first of the account number. */
function checkSwedbank(text: string, digits: string, range: ClearingRange): Checked<'bban'> {
  const clearing = digits.slice(0, CLEARING_DIGITS)
  const fifth = String(modulus10(clearing))
  const without: Parts = { clearing: clearing + fifth, account: digits.slice(CLEARING_DIGITS) }
  const isFifthMarked = /^[0-9]{4}([ -]+[0-9][ -]|[0-9][ -])/.test(text)
  if (digits[CLEARING_DIGITS] !== fifth) {
    const isFifthWrong = isFifthMarked || without.account.length > range.accountMaxLength
    return isFifthWrong
      ? no(`has a wrong clearing number: ${clearing} ends in the check digit ${fifth}`)
      : judged(without, range)
  }
  const within: Parts = { clearing: clearing + fifth, account: digits.slice(CLEARING_DIGITS + 1) }
  return isFifthMarked ? judged(within, range) : likelier(judged(within, range), judged(without, range))
}

/** The reading whose check digit is right. As genuine accounts fail that check, the other one is told where it is possible. */
function likelier(within: Checked<'bban'>, without: Checked<'bban'>): Checked<'bban'> {
  const [first, second] = isClean(without) && !isClean(within) ? [without, within] : [within, without]
  if (!first.ok || !second.ok) {
    return first.ok ? first : second
  }
  const doubt = `may be ${first.bban} or ${second.bban}, and is taken for the first; write the clearing number with its fifth digit and a hyphen behind it`
  return first.bban === second.bban ? first : { ...first, warning: doubt }
}

/** New banks get clearing numbers between the old ones before the table knows them. */
function ofUnlistedBank({ clearing, account }: Parts): Checked<'bban'> {
  if (!isAmongListed(clearing)) {
    return no(`begins with ${clearing}, which is the clearing number of no Swedish bank`)
  }
  if (account.length < ANY_BANK.digitsMin || account.length > ANY_BANK.digitsMax) {
    const { digitsMin, digitsMax } = ANY_BANK
    return no(
      `has ${account.length} digits after the clearing number ${clearing}; banks have ${digitsMin} to ${digitsMax}`,
    )
  }
  return /^0+$/.test(account)
    ? no(`has only zeros after the clearing number ${clearing}`)
    : {
        ok: true,
        bban: clearing + account,
        warning: `begins with ${clearing}, which is not in the table of Swedish banks`,
      }
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
