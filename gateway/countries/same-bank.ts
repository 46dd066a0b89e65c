/** Determines whether two valid account numbers belong to the same bank. */
import { countryRules } from './served-countries.ts'

/** Banks have several codes: the table identifies them by their BIC. */
export function areAtSameBank(countryCode: string, one: string, other: string): boolean {
  const rules = countryRules(countryCode)
  if (rules === undefined) {
    return false
  }
  // The table has banks without a BIC.
  if (rules.bankCodeOf(one) === rules.bankCodeOf(other)) {
    return true
  }
  const bic = rules.bankOf(one)?.bic ?? null
  return bic !== null && bic === rules.bankOf(other)?.bic
}
