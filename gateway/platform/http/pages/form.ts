/** Parses submitted forms: text fields, rows of fields, and the pressed button. */
import { withPlainSeparators } from '../../copied-text.ts'
import { apiError } from '../errors/api-error.ts'
import type { PageLanguage } from './page-language.ts'

/** Far above the number of fields of any form. */
const FIELDS_MAX = 1_000

/** Parses the body of a form. Throws `bad-request` for one with too many fields. */
export function parseForm(text: string): URLSearchParams {
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) {
    throw apiError('bad-request', `A form must have at most ${FIELDS_MAX} fields`)
  }
  return new URLSearchParams(text)
}

/** A submitted form. Texts are in NFC, trimmed and without control characters. */
export type Form = {
  /** The value of a field; empty when it was not sent. The first one counts when a name is repeated. */
  text(name: string): string
  /** The values of a repeated field, such as those of the boxes that are checked. */
  texts(name: string): readonly string[]
  /** Rows of a list, whose fields are named `owners.0.name`; up to the first gap in the numbering. */
  rows<Field extends string>(list: string, fields: readonly Field[]): readonly Readonly<Record<Field, string>>[]
  /** The action of the pressed button: `remove` and `2` for a button of the value `remove.2`. */
  readonly pressed: { readonly action: string; readonly position: number }
}

/** The name of every button with another action than continuing. */
export const ACTION_FIELD = 'do'
/** No list on our pages is longer. */
const ROWS_MAX = 50
/** Line breaks of text areas are preserved. */
const CONTROL_CHARACTERS = /(?!\n)\p{Cc}/gu

/** Parses a form. Any other body is parsed as an empty form. */
export function parseFormFields(body: unknown): Form {
  const sent = body instanceof URLSearchParams ? body : new URLSearchParams()
  const text = (name: string) => normaliseText(sent.get(name) ?? '')
  const [action = '', position = ''] = text(ACTION_FIELD).split('.')
  return {
    text,
    texts: (name) => sent.getAll(name).map(normaliseText),
    rows: (list, fields) => {
      const namesOf = (index: number) => fields.map((field) => [field, fieldName(list, index, field)] as const)
      const rows: Readonly<Record<string, string>>[] = []
      while (rows.length < ROWS_MAX && namesOf(rows.length).some(([, name]) => sent.has(name))) {
        rows.push(Object.fromEntries(namesOf(rows.length).map(([field, name]) => [field, text(name)])))
      }
      // The keys are the field names, which the compiler cannot infer.
      return rows as Record<(typeof fields)[number], string>[]
    },
    pressed: { action, position: /^\d{1,3}$/.test(position) ? Number(position) : -1 },
  }
}

/** The name of a field in a row of a list. */
export function fieldName(list: string, index: number, field: string): string {
  return `${list}.${index}.${field}`
}

/** Normalises a date such as `24.12.1980`, `24/12 1980`, `1980-12-24` or `24121980` to ISO 8601; other text stays. */
export function parseDate(typed: string): string {
  const text = withPlainSeparators(typed)
  const [, year, month = '', day = ''] = /^(\d{4})[-./ ](\d{1,2})[-./ ](\d{1,2})$/.exec(text) ?? []
  if (year !== undefined) {
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  }
  const parts = /^(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+(\d{4})$/.exec(text) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(text)
  const [, ownDay = '', ownMonth = '', ownYear] = parts ?? []
  return ownYear === undefined ? text : `${ownYear}-${ownMonth.padStart(2, '0')}-${ownDay.padStart(2, '0')}`
}

/** Formats an ISO 8601 date as it is written in a language: Swedes write it as it is. Any other text stays. */
export function formatDate(text: string, language: PageLanguage): string {
  if (language === 'sv') {
    return text
  }
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return year === undefined ? text : `${day}.${month}.${year}`
}

function normaliseText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL_CHARACTERS, '').normalize('NFC').trim()
}
