/** Values of forms: drafts, and the choices of countries. */
import { COUNTRY_CODES } from '../../../countries/bic.ts'
import { SERVED_COUNTRIES } from '../../../countries/served-countries.ts'
import { withoutInvisible } from '../../../platform/copied-text.ts'
import { type Form, parseFormFields } from '../../../platform/http/pages/form.ts'
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'

/** Parses the form of a section. Users cannot correct a character that they do not see: invisible ones are left out. */
export function parseSectionForm(body: unknown): Form {
  const sent = body instanceof URLSearchParams ? [...body] : []
  return parseFormFields(new URLSearchParams(sent.map(([name, value]) => [name, withoutInvisible(value)])))
}

/** The fields of a draft; undefined when there is none. */
export function draftOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

/** A field as text; undefined when it is neither a string nor a number. */
export function textIn(draft: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = draft?.[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** A yes/no field; null when it was not answered. */
export function answerIn(draft: Readonly<Record<string, unknown>> | undefined, name: string): boolean | null {
  const value = draft?.[name]
  return typeof value === 'boolean' ? value : null
}

/** The rows of a list field. */
export function rowsIn(
  draft: Readonly<Record<string, unknown>> | undefined,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = draft?.[name]
  return Array.isArray(value) ? value.map((row) => draftOf(row) ?? {}) : []
}

/** Parses a `yes`/`no` choice; null for none. */
export function answerOf(text: string): boolean | null {
  return text === 'yes' ? true : text === 'no' ? false : null
}

/** Formats an answer as a `yes`/`no` choice. */
export function choiceOf(answer: boolean | null): string {
  return answer === null ? '' : answer ? 'yes' : 'no'
}

type CountryChoice = { readonly value: string; readonly label: string }

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
