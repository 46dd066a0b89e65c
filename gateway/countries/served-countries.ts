/** Lists the countries that the gateway serves, one line each. */
import type { CountryRules } from './country.ts'
import { denmark } from './denmark/denmark.ts'
import { finland } from './finland/finland.ts'
import { norway } from './norway/norway.ts'
import { sweden } from './sweden/sweden.ts'

const rulesByCode: Readonly<Record<string, CountryRules>> = { NO: norway, SE: sweden, DK: denmark, FI: finland }

/** The codes of the countries. */
export const COUNTRIES_SERVED: readonly string[] = Object.keys(rulesByCode)

/** The rules of a country by its ISO 3166-1 code, or undefined where the gateway serves no bank. */
export function countryRules(code: string): CountryRules | undefined {
  return Object.hasOwn(rulesByCode, code) ? rulesByCode[code] : undefined
}
