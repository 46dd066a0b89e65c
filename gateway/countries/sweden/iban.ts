/** Swedish IBANs: three digits for the bank and seventeen for the account, in a form that each bank chose. */
import { ibanCheckDigits } from '../check-digits.ts'
import type { AccountBank, Checked } from '../country.ts'
import { checkClearingAccount } from './clearing-account-number.ts'
import { type ClearingRange, clearingRanges, passesCheck, rangeOf } from './clearing-numbers.ts'
import { giroKind } from './giro.ts'

const ACCOUNT_DIGITS = 17
/** The form that leaves the clearing number out; the others hold it. */
const ACCOUNT_ONLY = 2

/** The IBAN of a sound account number; giro numbers have none, and of a few clearing numbers it is not certain. */
export function swedishIban(bban: string): string | undefined {
  const range = giroKind(bban) === undefined ? rangeOf(bban) : undefined
  if (range === undefined || range.ibanId === null) {
    return undefined
  }
  const digits = range.ibanMethod === ACCOUNT_ONLY ? bban.slice(-range.accountMaxLength) : bban
  const inside = range.ibanId + digits.padStart(ACCOUNT_DIGITS, '0')
  return `SE${ibanCheckDigits('SE', inside)}${inside}`
}

/** The account number of an IBAN that holds the clearing number too. */
export function bbanOfSwedishIban(iban: string): Checked<'bban'> {
  const number = withClearing(iban)
  return number === undefined
    ? { ok: false, reason: 'is an IBAN that does not hold the clearing number, without which Swedish banks do not pay' }
    : checkClearingAccount(number)
}

/** Refuses a check digit that is wrong; a bank or clearing number that the table does not know is a warning. */
export function checkSwedishIban(iban: string): Checked<'iban'> {
  const ranges = rangesOf(iban)
  const number = withClearing(iban)
  if (number !== undefined) {
    const checked = checkClearingAccount(number)
    return checked.ok ? sound(iban, checked.warning) : checked
  }
  const accountOnly = ranges.filter(({ ibanMethod }) => ibanMethod === ACCOUNT_ONLY)
  const fitting = accountOnly.filter((range) => account(iban, range) !== undefined)
  if (fitting.length === 0) {
    return sound(iban, `names the bank ${iban.slice(4, 7)} in a form that the table of Swedish banks does not know`)
  }
  return fitting.some((range) => passesCheck(range, '', account(iban, range) ?? ''))
    ? sound(iban)
    : { ok: false, reason: `has a wrong check digit for ${fitting[0]?.bank}` }
}

/** The bank by the three digits that stand for it; all clearing numbers that share them belong to one bank. */
export function bankOfSwedishIban(iban: string): AccountBank | undefined {
  const [range] = rangesOf(iban)
  return range === undefined ? undefined : { bic: range.bic, name: range.bank }
}

function rangesOf(iban: string): readonly ClearingRange[] {
  return clearingRanges.filter(({ ibanId }) => ibanId === iban.slice(4, 7))
}

/** Clearing and account number, when the digits are as long as those of a clearing number of that bank. */
function withClearing(iban: string): string | undefined {
  const number = iban.slice(7).replace(/^0+/, '')
  const range = rangeOf(number)
  const isWhole =
    range !== undefined &&
    range.ibanId === iban.slice(4, 7) &&
    range.ibanMethod !== ACCOUNT_ONLY &&
    number.length === (range.ibanMethod === 3 ? 5 : 4) + range.accountMaxLength
  return isWhole ? number : undefined
}

/** The account number with its zeros, when nothing stands before it. */
function account(iban: string, { accountMaxLength }: ClearingRange): string | undefined {
  return /^0*$/.test(iban.slice(7, -accountMaxLength)) ? iban.slice(-accountMaxLength) : undefined
}

function sound(iban: string, warning?: string): Checked<'iban'> {
  return warning === undefined ? { ok: true, iban } : { ok: true, iban, warning }
}
