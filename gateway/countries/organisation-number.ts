/** Validates and formats organisation numbers by the rules of each country. */
import type { CheckResult } from './country.ts'
import { countryRules, SERVED_COUNTRIES } from './served-countries.ts'

/** The normalised organisation number, or why it is invalid. */
export function checkOrganisationNumber(countryCode: string, text: string): CheckResult<'organisationNumber'> {
  const rules = countryRules(countryCode)
  return rules === undefined
    ? { ok: false, reason: `is of a country that is not served here (${countryCode})` }
    : rules.checkOrganisationNumber(text)
}

/** The text and its normalised form in every country, to look up a number whose country is unknown. */
export function organisationNumberVariants(text: string): readonly string[] {
  const checked = SERVED_COUNTRIES.map((countryCode) => checkOrganisationNumber(countryCode, text))
  return [...new Set([text, ...checked.flatMap((found) => (found.ok ? [found.organisationNumber] : []))])]
}

/** As the authorities of the country print it; other texts are unchanged. */
export function formatOrganisationNumber(countryCode: string, number: string): string {
  return countryRules(countryCode)?.formatOrganisationNumber(number) ?? number
}
