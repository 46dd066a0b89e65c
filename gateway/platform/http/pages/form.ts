/** Reads what forms of our pages send: texts as they were typed, rows of them, and the button that was pressed. */
import { refuse } from '../errors/api-error.ts'

/** Far above what any form of ours has: forms are read field by field. */
const FIELDS_MAX = 1_000

/** Parses the body of a form. Throws `bad-request` for one with very many fields. */
export function parseForm(text: string): URLSearchParams {
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) {
    throw refuse('bad-request', `A form may have ${FIELDS_MAX} fields at most`)
  }
  return new URLSearchParams(text)
}

/** A form that was sent. Texts are in NFC, without white space around them and without control characters. */
export type Form = {
  /** What stands in a field; empty when it was not sent. A name that comes twice says what it said first. */
  text(name: string): string
  /** Rows of a list, whose fields are named `owners.0.name`; as far as they are numbered without a gap. */
  rows<Field extends string>(list: string, fields: readonly Field[]): readonly Readonly<Record<Field, string>>[]
  /** What the button does that was pressed: `remove` and `2` for a button of the value `remove.2`. */
  readonly pressed: { readonly action: string; readonly position: number }
}

/** The name of every button that does something else than going on. */
export const BUTTON = 'do'
/** No list of ours is longer. */
const ROWS_MAX = 50
/** Line breaks of text areas stay. */
const CONTROL_CHARACTERS = /(?!\n)\p{Cc}/gu

/** Reads a form. Whatever else was sent in its place reads as an empty one. */
export function readForm(body: unknown): Form {
  const sent = body instanceof URLSearchParams ? body : new URLSearchParams()
  const text = (name: string) => tidy(sent.get(name) ?? '')
  const [action = '', position = ''] = text(BUTTON).split('.')
  return {
    text,
    rows: (list, fields) => {
      const count = Array.from({ length: ROWS_MAX }, (_, index) => index).findIndex(
        (index) => !fields.some((field) => sent.has(fieldName(list, index, field))),
      )
      return Array.from({ length: count < 0 ? ROWS_MAX : count }, (_, index) => rowOf(fields, list, index))
    },
    pressed: { action, position: /^\d{1,3}$/.test(position) ? Number(position) : -1 },
  }

  function rowOf<Field extends string>(fields: readonly Field[], list: string, index: number) {
    // Its keys are the fields, which the compiler does not see.
    return Object.fromEntries(fields.map((field) => [field, text(fieldName(list, index, field))])) as Record<
      Field,
      string
    >
  }
}

/** The name of a field in a row of a list. */
export function fieldName(list: string, index: number, field: string): string {
  return `${list}.${index}.${field}`
}

/** A date as people write it (`24.12.1980`, `24/12 1980`, `1980-12-24`, `24121980`) in ISO 8601; any other text stays. */
export function readDate(text: string): string {
  const [, year, month = '', day = ''] = /^(\d{4})[-./ ](\d{1,2})[-./ ](\d{1,2})$/.exec(text) ?? []
  if (year !== undefined) {
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  }
  const parts = /^(\d{1,2})[-./ ]+(\d{1,2})[-./ ]+(\d{4})$/.exec(text) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(text)
  const [, ownDay = '', ownMonth = '', ownYear] = parts ?? []
  return ownYear === undefined ? text : `${ownYear}-${ownMonth.padStart(2, '0')}-${ownDay.padStart(2, '0')}`
}

/** A date in ISO 8601 as Nordic people write it; any other text stays. */
export function printDate(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  return year === undefined ? text : `${day}.${month}.${year}`
}

function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL_CHARACTERS, '').normalize('NFC').trim()
}
