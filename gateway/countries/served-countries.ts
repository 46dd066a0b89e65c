/** Lists the countries that the gateway serves, and applies their rules to references and organisation numbers. */
import type { PageLanguage } from '../platform/http/pages/page-language.ts'
import {
  type CheckedReference,
  type CheckResult,
  type CountryRules,
  type FikParts,
  type FikReference,
  invalid,
  type Reference,
} from './country.ts'
import { denmark } from './denmark/denmark.ts'
import { finland } from './finland/finland.ts'
import { norway } from './norway/norway.ts'
import { sweden } from './sweden/sweden.ts'

/** By ISO 3166-1 code. */
export const rulesByCountry = {
  NO: norway,
  SE: sweden,
  DK: denmark,
  FI: finland,
} as const satisfies Readonly<Record<string, CountryRules>>

export type CountryCode = keyof typeof rulesByCountry

export const allCountryRules: readonly CountryRules[] = Object.values(rulesByCountry)

export const SERVED_COUNTRIES: readonly string[] = Object.keys(rulesByCountry)

export function isServedCountry(code: string): code is CountryCode {
  return Object.hasOwn(rulesByCountry, code)
}

/** A map, because a plain object also has properties such as `constructor`. */
const rules: ReadonlyMap<string, CountryRules> = new Map(Object.entries(rulesByCountry))

export function countryRules(code: string): CountryRules | undefined {
  return rules.get(code)
}

/** The language of most companies of a country; English for countries that are not served. */
export function languageOfCountry(code: string): PageLanguage {
  return countryRules(code)?.languages[0] ?? 'en'
}

/**
 * The normalised reference, or why it is invalid. A plain text is an OCR reference: KID in Norway, OCR in Sweden,
 * viitenumero or RF in Finland.
 */
export function checkReference(countryCode: string, reference: Reference | string): CheckedReference {
  const given = typeof reference === 'string' ? ({ type: 'ocr', value: reference } as const) : reference
  return (
    countryRules(countryCode)?.checkReference(given) ??
    invalid(`is of a country whose references are not supported (${countryCode})`)
  )
}

/** The parts of a payment form; undefined if it is invalid, or if the country has no payment forms. */
export function parsePaymentForm(countryCode: string, reference: FikReference): FikParts | undefined {
  return countryRules(countryCode)?.parsePaymentForm(reference)
}

/** The normalised organisation number, or why it is invalid. */
export function checkOrganisationNumber(countryCode: string, text: string): CheckResult<'organisationNumber'> {
  return (
    countryRules(countryCode)?.checkOrganisationNumber(text) ??
    invalid(`is of a country that is not served here (${countryCode})`)
  )
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
