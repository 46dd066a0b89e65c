/** Finds the bank of Swedish clearing numbers, and checks the account numbers that follow them. */
import clearing from '../../../data/swedish-clearing.json' with { type: 'json' }
import { modulus11, passesModulus10 } from '../check-digits.ts'
import type { AccountBank, ClearingMember } from '../country.ts'
import { giroKind } from './giro.ts'

/** A range of clearing numbers with the same bank and rules. */
export type ClearingRange = (typeof clearing.ranges)[number]

export const clearingRanges: readonly ClearingRange[] = clearing.ranges

export const CLEARING_DIGITS = 4
const clearingNumberByGiro = { bankgiro: '9900', plusgiro: '9960' } as const
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

/** The length to which the account number is padded with leading zeros. */
export function paddedLength(range: ClearingRange): number {
  return range.accountMaxLength
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

/** The account number alone may be at two banks. Giro numbers have the clearing numbers of Bankgirot and of Nordea. */
export function swedishClearingMember(creditorBban: string): ClearingMember {
  const giro = giroKind(creditorBban)
  return {
    system: 'SESBA',
    memberId: giro === undefined ? creditorBban.slice(0, CLEARING_DIGITS) : clearingNumberByGiro[giro],
  }
}
