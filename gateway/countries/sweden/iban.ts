/** Converts and validates Swedish IBANs: three digits of the bank, seventeen of the account in a format per bank. */
import { ibanCheckDigits } from '../check-digits.ts'
import type { AccountBank, CheckResult } from '../country.ts'
import { checkClearingAccount } from './clearing-account-number.ts'
import { type ClearingRange, clearingRangeOf, clearingRanges, passesCheck } from './clearing-numbers.ts'
import { giroKind } from './giro.ts'

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
    return checked.ok ? valid(iban, checked.warning) : checked
  }
  const accountOnly = ranges.filter(({ ibanMethod }) => ibanMethod === ACCOUNT_ONLY)
  const matching = accountOnly.filter((range) => account(iban, range) !== undefined)
  if (matching.length === 0) {
    return valid(iban, `names the bank ${iban.slice(4, 7)} in a format that is not in our table of Swedish banks`)
  }
  return matching.some((range) => passesCheck(range, '', account(iban, range) ?? ''))
    ? valid(iban)
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

function valid(iban: string, warning?: string): CheckResult<'iban'> {
  return warning === undefined ? { ok: true, iban } : { ok: true, iban, warning }
}
