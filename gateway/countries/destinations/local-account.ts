/** Validates account numbers of countries without IBAN: their format, and the check digits of some of them. */

import { withoutSeparators } from '../../platform/copied-text.ts'
import { passesModulus10, weightedSum } from '../check-digits.ts'
import { checkClearingCode } from '../clearing-codes.ts'
import type { CheckResult } from '../country.ts'
import { passesNewZealandCheck } from './new-zealand-account.ts'

/** `doubtful` if valid numbers may fail the check, or its rule is not published. */
type CheckDigitResult = 'sound' | 'unsound' | 'doubtful'

/** The format of a country's account numbers. */
export type LocalAccount = { readonly pattern: string; readonly check?: LocalAccountCheck }

const CBU_BANK_WEIGHTS = [7, 1, 3, 9, 7, 1, 3, 1]
const CBU_ACCOUNT_WEIGHTS = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1]
const NUBAN_WEIGHTS = [3, 7, 3]
/** Bank codes of institutions other than banks are prefixed with 9. */
const OTHER_INSTITUTIONS = '9'

const checkDigitResultByCheck = {
  /** Mexico: the eighteenth digit (Banco de México). */
  CLABE: (number) => soundIf(checkClearingCode('CLABE', number).ok),
  /** Argentina: one digit for bank and branch, one for the account (Banco Central, Com. A 2530). */
  CBU: (number) =>
    soundIf(
      weightedSum(number.slice(0, 8), CBU_BANK_WEIGHTS) % 10 === 0 &&
        weightedSum(number.slice(8), CBU_ACCOUNT_WEIGHTS) % 10 === 0,
    ),
  /** Peru: one check digit for bank and branch, one for the account. The rule was inferred from real numbers. */
  CCI: (number) =>
    passesModulus10(number.slice(0, 6) + number.slice(18, 19)) &&
    passesModulus10(number.slice(6, 18) + number.slice(19))
      ? 'sound'
      : 'doubtful',
  /** Morocco: the last two digits, as in the French RIB of digits only. */
  RIB: (number) => soundIf(BigInt(number) % 97n === 0n),
  /** New Zealand: by the rule of each bank (Inland Revenue, payday filing specification). */
  NZ: (number) => soundIf(passesNewZealandCheck(number)),
  /** Nigeria: the digit depends on the bank code, which is optional (Central Bank of Nigeria, 2020). */
  NUBAN: checkNuban,
} as const satisfies Readonly<Record<string, (number: string, clearingCode: string) => CheckDigitResult>>

export type LocalAccountCheck = keyof typeof checkDigitResultByCheck

export const LOCAL_ACCOUNT_CHECKS: readonly LocalAccountCheck[] = Object.keys(checkDigitResultByCheck).filter(isCheck)

/** The number without separators, or why it is invalid. */
export function checkLocalAccount(
  text: string,
  { pattern, check }: LocalAccount,
  clearingCode = '',
): CheckResult<'bban'> {
  const bban = withoutSeparators(text)
  if (!new RegExp(pattern).test(bban)) {
    return { ok: false, reason: 'is not an account number of that country' }
  }
  const result = check === undefined ? 'sound' : checkDigitResultByCheck[check](bban, withoutSeparators(clearingCode))
  switch (result) {
    case 'sound':
      return { ok: true, bban }
    case 'doubtful':
      return { ok: true, bban, warning: 'may be wrong: its check digits fail the usual rule' }
    case 'unsound':
      return { ok: false, reason: 'is not an account number of that country: its check digits are wrong' }
  }
}

function checkNuban(number: string, clearingCode: string): CheckDigitResult {
  const code = { 3: `000${clearingCode}`, 5: OTHER_INSTITUTIONS + clearingCode, 6: clearingCode }[clearingCode.length]
  // An invalid code is reported by its own rule.
  if (code === undefined || !/^[0-9]+$/.test(code)) {
    return 'sound'
  }
  const sum = weightedSum(code + number.slice(0, 9), NUBAN_WEIGHTS)
  return soundIf((10 - (sum % 10)) % 10 === Number(number.at(9)))
}

function soundIf(passes: boolean): CheckDigitResult {
  return passes ? 'sound' : 'unsound'
}

function isCheck(name: string): name is LocalAccountCheck {
  return Object.hasOwn(checkDigitResultByCheck, name)
}
