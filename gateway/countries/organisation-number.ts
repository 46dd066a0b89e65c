/** Checks organisation numbers by the rules of their country. */
import type { Checked } from './country.ts'
import { COUNTRIES_SERVED, countryRules } from './served-countries.ts'

/** The organisation number in the form that is kept and sent on, or why it is none. */
export function checkOrganisationNumber(countryCode: string, text: string): Checked<'organisationNumber'> {
  const rules = countryRules(countryCode)
  return rules === undefined
    ? { ok: false, reason: `is of a country that is not served here (${countryCode})` }
    : rules.checkOrganisationNumber(text)
}

/** The forms in which a number may be kept whose country is not told: the text itself, and what each country makes of it. */
export function formsOfOrganisationNumber(text: string): readonly string[] {
  const checked = COUNTRIES_SERVED.map((countryCode) => checkOrganisationNumber(countryCode, text))
  return [...new Set([text, ...checked.flatMap((found) => (found.ok ? [found.organisationNumber] : []))])]
}
