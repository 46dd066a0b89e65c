/** Tells what codes say the purpose of a payment, and judges one by the list of its country. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import table from '../../../data/purpose-codes.json' with { type: 'json' }
import type { Checked } from '../country.ts'

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

/** A code and what it says. */
export type PurposeCode = { readonly code: string; readonly description: string }

export type PurposeList = {
  /** One that is taken. */
  readonly example: string
  /** Codes of this form are taken beside those listed; the country has more than are listed here. */
  readonly form?: string
  /** Codes of this form are taken with a warning. */
  readonly other?: string
  readonly codes: readonly PurposeCode[]
}

const listsByName = checked(table.lists)

export const PURPOSE_LISTS: readonly string[] = Object.keys(listsByName)

/** A list of the table by its name. */
export function purposeList(name: string): PurposeList {
  const list = Object.hasOwn(listsByName, name) ? listsByName[name] : undefined
  if (list === undefined) {
    throw new Error(`There is no list of purpose codes ${name}`)
  }
  return list
}

/** The code as its list writes it, whatever its case and the slashes around it, or why it is none. */
export function checkPurposeCode(text: string, { codes, form, other, example }: PurposeList): Checked<'purpose'> {
  const told = text.trim().replace(/^\/+|\/+$/g, '')
  const listed = codes.find(({ code }) => code.toUpperCase() === told.toUpperCase())
  if (listed !== undefined) {
    return { ok: true, purpose: listed.code }
  }
  const purpose = told.toUpperCase()
  if (form !== undefined && new RegExp(form).test(purpose)) {
    return { ok: true, purpose }
  }
  return other !== undefined && new RegExp(other).test(purpose)
    ? { ok: true, purpose, warning: 'is not among the purpose codes that are known here, which may not be all' }
    : { ok: false, reason: `is not a purpose code of the country of the receiver's bank, as in ${example}` }
}

function checked(read: unknown): Static<typeof Lists> {
  const validator = Compile(Lists)
  if (!validator.Check(read)) {
    const faults = validator.Errors(read).map(({ instancePath, message }) => `${instancePath} ${message}`)
    throw new Error(`data/purpose-codes.json is not usable: ${faults.join('; ')}`)
  }
  return read
}
