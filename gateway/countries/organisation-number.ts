/** Checks organisation numbers by the rules of their country. */
import type { Checked } from './country.ts'
import { countryRules } from './country-rules.ts'

/** The organisation number in the form that is kept and sent on, or why it is none. */
export function checkOrganisationNumber(countryCode: string, text: string): Checked<'organisationNumber'> {
  const rules = countryRules(countryCode)
  return rules === undefined
    ? { ok: false, reason: `is of a country that is not served here (${countryCode})` }
    : rules.checkOrganisationNumber(text)
}
