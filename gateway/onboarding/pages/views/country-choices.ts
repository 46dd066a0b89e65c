/** Lists all countries in the page's language, the served countries and Iceland first. */
import { COUNTRY_CODES } from '../../../countries/bic.ts'
import { SERVED_COUNTRIES } from '../../../countries/served-countries.ts'
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'

export type CountryChoice = { readonly value: string; readonly label: string }

const NEAREST = [...new Set([...SERVED_COUNTRIES, 'IS'])]
const choicesByLanguage = new Map<PageLanguage, readonly CountryChoice[]>()

/** Every country once; the names are those of Unicode's CLDR. */
export function countryChoices(language: PageLanguage): readonly CountryChoice[] {
  const known = choicesByLanguage.get(language)
  if (known !== undefined) {
    return known
  }
  const named = COUNTRY_CODES.map((value) => ({ value, label: countryName(language, value) }))
  const others = named.filter(({ value }) => !NEAREST.includes(value))
  const near = NEAREST.map((value) => ({ value, label: countryName(language, value) }))
  const sorted = others.toSorted((one, other) => one.label.localeCompare(other.label, language))
  const choices = [...near, ...sorted]
  choicesByLanguage.set(language, choices)
  return choices
}

/** The country's name; its code when there is none. */
export function countryName(language: PageLanguage, code: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}
