/** The language requested at an identity provider, by the country of the eID. */
import { countryRules } from '../../countries/served-countries.ts'

/** The country's first language; English for other countries. */
export function countryLanguage(countryCode: string): string {
  return countryRules(countryCode)?.languages[0] ?? 'en'
}
