/** Tells from two sound account numbers whether one bank keeps both accounts. */
import { countryRules } from './served-countries.ts'

/** Digits in front that name the bank where the table knows no BIC: bank code, clearing or registration number. */
const codeDigitsByCountry: Readonly<Record<string, number>> = { NO: 4, SE: 4, DK: 4, FI: 3 }

/** Whether both are of one bank. Banks have many codes: the table tells them by their BIC. */
export function areOfOneBank(countryCode: string, one: string, other: string): boolean {
  const digits = codeDigitsByCountry[countryCode] ?? 0
  if (digits > 0 && one.slice(0, digits) === other.slice(0, digits)) {
    return true
  }
  const rules = countryRules(countryCode)
  const bic = rules?.bankOf(one)?.bic ?? null
  return bic !== null && bic === rules?.bankOf(other)?.bic
}
