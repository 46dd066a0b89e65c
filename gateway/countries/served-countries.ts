/** Lists the countries that the gateway serves, with their rules. */
import type { CountryRules } from './country.ts'
import { denmark } from './denmark/denmark.ts'
import { finland } from './finland/finland.ts'
import { norway } from './norway/norway.ts'
import { sweden } from './sweden/sweden.ts'

const rulesByCode: Readonly<Record<string, CountryRules>> = { NO: norway, SE: sweden, DK: denmark, FI: finland }

/** Their ISO 3166-1 codes. */
export const SERVED_COUNTRIES: readonly string[] = Object.keys(rulesByCode)

/** The rules of a country; undefined if it is not served. */
export function countryRules(code: string): CountryRules | undefined {
  return Object.hasOwn(rulesByCode, code) ? rulesByCode[code] : undefined
}
