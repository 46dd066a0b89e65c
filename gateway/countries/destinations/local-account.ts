/** Validates account numbers of countries without IBAN: their format, and the check digits of some of them. */
import { withoutSeparators } from '../../platform/copied-text.ts'
import { checkClearingCode } from '../clearing-codes.ts'
import { type CheckResult, invalid, valid } from '../country.ts'
import { passesModulus10, weightedSum } from '../number-checks.ts'

/** Weights of bank (2 digits), branch (4), base number (8) and suffix (4), and the modulus of their sum. */
type Rule = { readonly weights: readonly number[]; readonly modulus: 10 | 11 }

const rules = {
  A: { weights: [0, 0, 6, 3, 7, 9, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11 },
  B: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11 },
  D: { weights: [0, 0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0], modulus: 11 },
  F: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1, 0, 0, 0, 0], modulus: 10 },
} as const satisfies Readonly<Record<string, Rule>>

/** For these banks, base numbers below the limit are checked with the branch (A), others without it (B). */
const BANKS_WITH_BRANCH = '01 02 03 06 11 12 13 14 15 16 17 18 19 20 21 22 23 24 27 30 35 38'.split(' ')
const BASE_WITHOUT_BRANCH_FROM = 990_000
const ruleByBank: Readonly<Record<string, keyof typeof rules>> = { '08': 'D', 25: 'F', 33: 'F' }

/**
 * `number` has 15 or 16 digits: the suffix has two or three. Banks without a rule pass: new ones, and a few old ones
 * for which the sources differ.
 */
function passesNewZealandCheck(number: string): boolean {
  const [bank, branch, base, suffix] = [number.slice(0, 2), number.slice(2, 6), number.slice(6, 13), number.slice(13)]
  const ruleByBase = Number(base) < BASE_WITHOUT_BRANCH_FROM ? 'A' : 'B'
  const name = BANKS_WITH_BRANCH.includes(bank) ? ruleByBase : ruleByBank[bank]
  if (name === undefined) {
    return true
  }
  const { weights, modulus }: Rule = rules[name]
  return weightedSum(bank + branch + base.padStart(8, '0') + suffix.padStart(4, '0'), weights) % modulus === 0
}

/** The format of a country's account numbers. */
export type LocalAccount = { readonly pattern: string; readonly check?: LocalAccountCheck }

const CBU_BANK_WEIGHTS = [7, 1, 3, 9, 7, 1, 3, 1]
const CBU_ACCOUNT_WEIGHTS = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1]
const NUBAN_WEIGHTS = [3, 7, 3]
/** Bank codes of institutions other than banks are prefixed with 9. */
const OTHER_INSTITUTIONS = '9'

/** Whether the check digits are right, by the rule of a country. */
const passesByCheck = {
  /** Mexico: the eighteenth digit (Banco de México). */
  CLABE: (number) => checkClearingCode('CLABE', number).ok,
  /** Argentina: one digit for bank and branch, one for the account (Banco Central, Com. A 2530). */
  CBU: (number) =>
    weightedSum(number.slice(0, 8), CBU_BANK_WEIGHTS) % 10 === 0 &&
    weightedSum(number.slice(8), CBU_ACCOUNT_WEIGHTS) % 10 === 0,
  /** Peru: one check digit for bank and branch, one for the account. The rule was inferred from real numbers. */
  CCI: (number) =>
    passesModulus10(number.slice(0, 6) + number.slice(18, 19)) &&
    passesModulus10(number.slice(6, 18) + number.slice(19)),
  /** Morocco: the last two digits, as in the French RIB of digits only. */
  RIB: (number) => BigInt(number) % 97n === 0n,
  /** New Zealand: by the rule of each bank (Inland Revenue, payday filing specification). */
  NZ: passesNewZealandCheck,
  /** Nigeria: the digit depends on the bank code, which is optional (Central Bank of Nigeria, 2020). */
  NUBAN: passesNubanCheck,
} as const satisfies Readonly<Record<string, (number: string, clearingCode: string) => boolean>>

export type LocalAccountCheck = keyof typeof passesByCheck

export const LOCAL_ACCOUNT_CHECKS = checkNames(passesByCheck)

/** Valid numbers may fail it. */
const ADVISORY: LocalAccountCheck = 'CCI'

/** The number without separators, or why it is invalid. */
export function checkLocalAccount(
  text: string,
  { pattern, check }: LocalAccount,
  clearingCode = '',
): CheckResult<'bban'> {
  const bban = withoutSeparators(text)
  if (!new RegExp(pattern).test(bban)) {
    return invalid('is not an account number of that country')
  }
  if (check === undefined || passesByCheck[check](bban, withoutSeparators(clearingCode))) {
    return valid({ bban })
  }
  return check === ADVISORY
    ? valid({ bban }, 'may be wrong: its check digits fail the usual rule')
    : invalid('is not an account number of that country: its check digits are wrong')
}

function passesNubanCheck(number: string, clearingCode: string): boolean {
  const code = { 3: `000${clearingCode}`, 5: OTHER_INSTITUTIONS + clearingCode, 6: clearingCode }[clearingCode.length]
  // An invalid code is reported by its own rule.
  if (code === undefined || !/^[0-9]+$/.test(code)) {
    return true
  }
  const sum = weightedSum(code + number.slice(0, 9), NUBAN_WEIGHTS)
  return (10 - (sum % 10)) % 10 === Number(number.at(9))
}

/** By which the tables of countries name them. */
export function checkNames<Name extends string>(checks: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(checks).filter((name): name is Name => Object.hasOwn(checks, name))
}
