/** Determines whether two valid account numbers belong to the same bank. */
import { countryRules } from './served-countries.ts'

/** Leading digits that identify the bank where the table has no BIC: bank code, clearing or registration number. */
const codeDigitsByCountry: Readonly<Record<string, number>> = { NO: 4, SE: 4, DK: 4, FI: 3 }

/** Banks have several codes: the table identifies them by their BIC. */
export function areAtSameBank(countryCode: string, one: string, other: string): boolean {
  const digits = codeDigitsByCountry[countryCode] ?? 0
  if (digits > 0 && one.slice(0, digits) === other.slice(0, digits)) {
    return true
  }
  const rules = countryRules(countryCode)
  const bic = rules?.bankOf(one)?.bic ?? null
  return bic !== null && bic === rules?.bankOf(other)?.bic
}
