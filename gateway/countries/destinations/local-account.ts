/** Checks account numbers of countries without IBAN: their form, and the check digits that some of them hold. */
import { passesModulus10, weightedSum } from '../check-digits.ts'
import { checkClearingCode } from '../clearing-codes.ts'
import type { Checked } from '../country.ts'
import { withoutSeparators } from '../separators.ts'
import { passesNewZealandCheck } from './new-zealand-account.ts'

/** `doubtful` where genuine numbers may fail the check, or its rule is not published. */
type Verdict = 'sound' | 'unsound' | 'doubtful'

/** What the table says of a country's numbers. */
export type LocalAccount = { readonly pattern: string; readonly check?: LocalAccountCheck }

const CBU_BANK_WEIGHTS = [7, 1, 3, 9, 7, 1, 3, 1]
const CBU_ACCOUNT_WEIGHTS = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1]
const NUBAN_WEIGHTS = [3, 7, 3]
/** Bank codes of other institutions than banks have a 9 before them. */
const OTHER_INSTITUTIONS = '9'

const verdictByCheck = {
  /** Mexico: the eighteenth digit (Banco de México). */
  CLABE: (number) => soundIf(checkClearingCode('CLABE', number).ok),
  /** Argentina: one digit for bank and branch, one for the account (Banco Central, Com. A 2530). */
  CBU: (number) =>
    soundIf(
      weightedSum(number.slice(0, 8), CBU_BANK_WEIGHTS) % 10 === 0 &&
        weightedSum(number.slice(8), CBU_ACCOUNT_WEIGHTS) % 10 === 0,
    ),
  /** Peru: the last digits stand for bank and branch, and for the account. The rule was inferred from genuine numbers. */
  CCI: (number) =>
    passesModulus10(number.slice(0, 6) + number.slice(18, 19)) &&
    passesModulus10(number.slice(6, 18) + number.slice(19))
      ? 'sound'
      : 'doubtful',
  /** Morocco: the last two digits, as in the French RIB of digits only. */
  RIB: (number) => soundIf(BigInt(number) % 97n === 0n),
  /** New Zealand: by the rule of each bank (Inland Revenue, payday filing specification). */
  NZ: (number) => soundIf(passesNewZealandCheck(number)),
  /** Nigeria: the digit depends on the bank code, which need not be given (Central Bank of Nigeria, 2020). */
  NUBAN: nubanVerdict,
} as const satisfies Readonly<Record<string, (number: string, clearingCode: string) => Verdict>>

export type LocalAccountCheck = keyof typeof verdictByCheck

export const LOCAL_ACCOUNT_CHECKS: readonly LocalAccountCheck[] = Object.keys(verdictByCheck).filter(isCheck)

/** The number without separators, or why it is none. */
export function checkLocalAccount(text: string, { pattern, check }: LocalAccount, clearingCode = ''): Checked<'bban'> {
  const bban = withoutSeparators(text)
  if (!new RegExp(pattern).test(bban)) {
    return { ok: false, reason: 'is not an account number of that country' }
  }
  const verdict = check === undefined ? 'sound' : verdictByCheck[check](bban, withoutSeparators(clearingCode))
  switch (verdict) {
    case 'sound':
      return { ok: true, bban }
    case 'doubtful':
      return { ok: true, bban, warning: 'looks wrong: its check digits are not what they mostly are' }
    case 'unsound':
      return { ok: false, reason: 'is not an account number of that country: its check digits are wrong' }
  }
}

function nubanVerdict(number: string, clearingCode: string): Verdict {
  const code = { 3: `000${clearingCode}`, 5: OTHER_INSTITUTIONS + clearingCode, 6: clearingCode }[clearingCode.length]
  // A code that is none is told of by itself.
  if (code === undefined || !/^[0-9]+$/.test(code)) {
    return 'sound'
  }
  const sum = weightedSum(code + number.slice(0, 9), NUBAN_WEIGHTS)
  return soundIf((10 - (sum % 10)) % 10 === Number(number.at(9)))
}

function soundIf(passes: boolean): Verdict {
  return passes ? 'sound' : 'unsound'
}

function isCheck(name: string): name is LocalAccountCheck {
  return Object.hasOwn(verdictByCheck, name)
}
