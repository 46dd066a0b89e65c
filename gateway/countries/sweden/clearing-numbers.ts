/** Finds the bank of Swedish clearing numbers, and checks the account numbers that follow them; validates giro numbers. */
import clearing from '../../../data/swedish-clearing.json' with { type: 'json' }
import { type AccountBank, type CheckResult, invalid } from '../country.ts'
import { modulus11, passesModulus10 } from '../number-checks.ts'

/** A range of clearing numbers with the same bank and rules. */
export type ClearingRange = (typeof clearing.ranges)[number]

export const clearingRanges: readonly ClearingRange[] = clearing.ranges

export const CLEARING_DIGITS = 4
/** Type 1: aligned to the last digit; with comment 1, the clearing number's first digit is not included. */
const WEIGHTS_TYPE_1 = [1, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
const WEIGHTS_HANDELSBANKEN = [9, 8, 7, 6, 5, 4, 3, 2, 1]

export function clearingRangeOf(digits: string): ClearingRange | undefined {
  const number = Number(digits.slice(0, CLEARING_DIGITS))
  return clearingRanges.find(({ from, to }) => from <= number && number <= to)
}

/** Whether a clearing number lies between listed ones, where new banks get theirs. */
export function isUnlistedClearingNumber(clearingNumber: string): boolean {
  const number = Number(clearingNumber)
  return clearingRanges.some(({ to }) => to < number) && clearingRanges.some(({ from }) => number < from)
}

/** Whether the clearing number has a fifth digit, Swedbank's own check digit. */
export function hasFifthDigit({ ibanMethod }: ClearingRange): boolean {
  return ibanMethod === 3
}

/** Whether valid numbers exist that fail the check, so that a failure is only a warning. */
export function isCheckAdvisory({ type, comment }: ClearingRange): boolean {
  return type === 2 && comment === 3
}

/** Whether the account number's check digit is right; type 1 includes the clearing number. */
export function passesCheck({ type, comment }: ClearingRange, clearingNumber: string, account: string): boolean {
  if (type === 2) {
    return comment === 2 ? modulus11(account, WEIGHTS_HANDELSBANKEN) === 0 : passesModulus10(account)
  }
  const counted = comment === 1 ? clearingNumber.slice(1) : clearingNumber
  return modulus11(counted + account, WEIGHTS_TYPE_1) === 0
}

/** The bank of a valid account number; undefined for giro numbers, which do not identify one. */
export function bankOfSwedishAccount(bban: string): AccountBank | undefined {
  const range = giroKind(bban) === undefined ? clearingRangeOf(bban) : undefined
  return range === undefined ? undefined : { bic: range.bic, name: range.bank }
}

/** The digits before and after the hyphen, which is part of the normalised form. */
const GIROS = {
  bankgiro: {
    name: 'Bankgiro',
    pattern: /^([0-9]{3,4})-?([0-9]{4})$/,
    description: '7 or 8 digits, written 123-4567 or 1234-5678',
  },
  plusgiro: {
    name: 'Plusgiro',
    pattern: /^([0-9]{1,7})-?([0-9])$/,
    description: '2 to 8 digits, written 1234567-8',
  },
} as const
type GiroKind = keyof typeof GIROS

/** The type of a normalised number: `5402-9681` is Bankgiro, `902003-3` Plusgiro; undefined for accounts. */
export function giroKind(bban: string): GiroKind | undefined {
  if (/^[0-9]{3,4}-[0-9]{4}$/.test(bban)) {
    return 'bankgiro'
  }
  return /^[0-9]{1,7}-[0-9]$/.test(bban) ? 'plusgiro' : undefined
}

/** Validates a giro number without spaces. */
export function checkGiro(kind: GiroKind, written: string): CheckResult<'bban'> {
  const { name, pattern, description } = GIROS[kind]
  const [, start, end] = pattern.exec(written) ?? []
  if (start === undefined || end === undefined) {
    return invalid(`is not a ${name} number: ${description}`)
  }
  return passesModulus10(start + end) && !/^0+$/.test(start + end)
    ? { ok: true, bban: `${start}-${end}` }
    : invalid(`is not a ${name} number: its check digit is wrong (modulus 10)`)
}
