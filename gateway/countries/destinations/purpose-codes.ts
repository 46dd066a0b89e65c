/** Lists the purpose codes of each country, and validates them. */

import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import table from '../../../data/purpose-codes.json' with { type: 'json' }
import { withPlainSeparators } from '../../platform/copied-text.ts'
import type { CheckResult } from '../country.ts'

const Lists = Type.Record(
  Type.String(),
  Type.Object({
    source: Type.String(),
    confidence: Type.Enum(['sourced', 'partly', 'own']),
    example: Type.String(),
    form: Type.Optional(Type.String({ format: 'regex' })),
    other: Type.Optional(Type.String({ format: 'regex' })),
    codes: Type.Array(Type.Object({ code: Type.String(), description: Type.String({ pattern: '\\S' }) })),
  }),
)

/** A code and its meaning. */
export type PurposeCode = { readonly code: string; readonly description: string }

export type PurposeList = {
  /** A valid code. */
  readonly example: string
  /** Codes of this format are accepted too; the country has more codes than are listed here. */
  readonly form?: string
  /** Codes of this format are accepted with a warning. */
  readonly other?: string
  readonly codes: readonly PurposeCode[]
}

const listsByName = checkedTable(Lists, 'purpose-codes.json', table.lists)

export const PURPOSE_LISTS: readonly string[] = Object.keys(listsByName)

/** The list with this name. Throws if there is none. */
export function purposeList(name: string): PurposeList {
  const list = Object.hasOwn(listsByName, name) ? listsByName[name] : undefined
  if (list === undefined) {
    throw new Error(`There is no list of purpose codes ${name}`)
  }
  return list
}

/** The code as written in its list, ignoring case and surrounding slashes, or why it is invalid. */
export function checkPurposeCode(text: string, { codes, form, other, example }: PurposeList): CheckResult<'purpose'> {
  const code = withPlainSeparators(text).replace(/^\/+|(?<!\/)\/+$/g, '')
  const listed = codes.find((each) => each.code.toUpperCase() === code.toUpperCase())
  if (listed !== undefined) {
    return { ok: true, purpose: listed.code }
  }
  const purpose = code.toUpperCase()
  if (form !== undefined && new RegExp(form).test(purpose)) {
    return { ok: true, purpose }
  }
  return other !== undefined && new RegExp(other).test(purpose)
    ? { ok: true, purpose, warning: 'is not in our list of purpose codes, which may be incomplete' }
    : { ok: false, reason: `is not a purpose code of the country of the receiver's bank, as in ${example}` }
}

/** A table of `data/` as its schema has it. Throws an error with every fault. */
export function checkedTable<Schema extends TSchema>(schema: Schema, file: string, table: unknown): Static<Schema> {
  const validator = Compile(schema)
  if (!validator.Check(table)) {
    const faults = validator.Errors(table).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    throw new Error(`data/${file} is not usable: ${faults.join('; ')}`)
  }
  return table
}
