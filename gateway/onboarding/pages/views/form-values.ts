/** Values of forms: drafts, rows, and the choices of countries. */
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
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

/** The latest input of a section, or its saved answers. A draft of another release may have another shape: it is left out. */
export function latestInput<Shape extends TSchema>(
  shape: Shape,
  draft: unknown,
  saved: Static<Shape> | undefined,
): Static<Shape> | undefined {
  return Value.Check(shape, draft) ? draft : saved
}

/** The rows after the button that adds or removes one was pressed; undefined for other buttons. */
export function changedRows<Row>(
  { pressed }: Form,
  rows: readonly Row[],
  { blank, most }: { readonly blank: Row; readonly most: number },
): Row[] | undefined {
  switch (pressed.action) {
    case 'add':
      return [...rows, ...(rows.length < most ? [blank] : [])]
    case 'remove':
      return rows.toSpliced(pressed.position, pressed.position < 0 ? 0 : 1)
    default:
      return undefined
  }
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
