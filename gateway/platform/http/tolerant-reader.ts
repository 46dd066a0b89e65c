/** Reads values of external systems tolerantly: what a schema does not require never makes the rest unreadable. */
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'

/** Where a value differs from its schema, and what that costs. Neither holds any part of the value. */
export type Deviation = {
  /** Names of the schema, e.g. `accounts[2].currency`. */
  readonly path: string
  readonly reason: string
  /** `ignored`: an optional field. `dropped`: an element of a list. `unreadable`: the whole answer. */
  readonly effect: 'ignored' | 'dropped' | 'unreadable'
}

export type ReportDeviation = (deviation: Deviation) => void

/** Why a value cannot be read. */
type Damage = Pick<Deviation, 'path' | 'reason'>
type Reading = { readonly value: unknown } | { readonly damage: Damage }
type Place = { readonly path: string; readonly report: ReportDeviation }

/** The keywords of a schema that are read here; `fromNumber`, `complete` and `readable` are our own. */
type Schema = TSchema & {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Of a record: the schema of its values. */
  readonly patternProperties?: Readonly<Record<string, Schema>>
  /** A text that some systems send as a number. */
  readonly fromNumber?: boolean
  /** A list whose elements prove something by their absence: a damaged one makes it unreadable. */
  readonly complete?: boolean
  /** Of an optional field: damaged, it makes its object unreadable, because its absence would say something else. */
  readonly readable?: boolean
}

/** A text with at least one visible character. */
export const VISIBLE_TEXT = '[^\\s\\u00ad\\u200b-\\u200f\\u2060\\ufeff]'
const VISIBLE = new RegExp(VISIBLE_TEXT)

/** How deep an object is searched for a value. */
const LEVELS_MAX = 4

/** More digits than a double holds exactly are not those that were sent. */
const DIGITS_MAX = 15

/**
 * The part of a value that matches the schema, or undefined. Null, a blank text and an object or a list of these are
 * absent; optional fields of another shape are ignored, and damaged elements of lists dropped. A list of which no element
 * can be read is damaged itself: it is no empty list.
 */
export function readTolerantly(schema: TSchema, value: unknown, report: ReportDeviation): unknown {
  const reading = readValue(schema, value, { path: '', report })
  if ('value' in reading) {
    return reading.value
  }
  report({ ...reading.damage, effect: 'unreadable' })
  return undefined
}

function readValue(schema: Schema, value: unknown, place: Place): Reading {
  if (schema.anyOf !== undefined) {
    return readUnion(schema.anyOf, value, place)
  }
  if (schema.type === 'array') {
    return Array.isArray(value) ? within(schema, readList(schema, value, place), place) : damaged(value, place)
  }
  if (schema.type === 'object') {
    return isObject(value) ? within(schema, readObject(schema, value, place), place) : damaged(value, place)
  }
  const text = schema.fromNumber === true && typeof value === 'number' ? textOfNumber(value) : value
  return Check(schema, text) ? { value: text } : damaged(value, place)
}

/** What is left may be too little, or too much, for the schema. */
function within(schema: Schema, reading: Reading, place: Place): Reading {
  return 'damage' in reading || Check(schema, reading.value) ? reading : damaged(reading.value, place)
}

/** What a branch reports counts only where the branch is taken. */
function readUnion(branches: readonly Schema[], value: unknown, place: Place): Reading {
  for (const branch of branches) {
    const reported: Deviation[] = []
    const reading = readValue(branch, value, { ...place, report: (deviation) => reported.push(deviation) })
    if ('value' in reading) {
      reported.forEach(place.report)
      return reading
    }
  }
  return damaged(value, place)
}

function readList({ items = {}, complete }: Schema, list: readonly unknown[], { path, report }: Place): Reading {
  const elements: unknown[] = []
  const damages: { readonly damage: Damage; readonly isNothing: boolean }[] = []
  for (const [index, element] of list.entries()) {
    const reading = readValue(items, element, { path: `${path}[${index}]`, report })
    if ('value' in reading) {
      elements.push(reading.value)
    } else {
      damages.push({ ...reading, isNothing: saysNothing(element) })
    }
  }
  const [first] = damages
  if (first !== undefined && (complete === true || elements.length === 0)) {
    return first
  }
  for (const { damage } of damages.filter(({ isNothing }) => !isNothing)) {
    report({ ...damage, effect: 'dropped' })
  }
  return { value: elements }
}

function readObject(schema: Schema, source: Readonly<Record<string, unknown>>, place: Place): Reading {
  const { properties = {}, required = [], patternProperties = {} } = schema
  const [ofRecord] = Object.values(patternProperties)
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(source)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const field = property ?? ofRecord
    if (!saysNothing(value) || required.includes(name)) {
      // Names outside the schema are the system's own and are not repeated.
      const path = [place.path, property === undefined ? '*' : name].filter((part) => part !== '').join('.')
      const reading = field === undefined ? { value } : readValue(field, value, { ...place, path })
      if ('value' in reading) {
        fields.push([name, reading.value])
      } else if (required.includes(name) || field?.readable === true) {
        return reading
      } else {
        place.report({ ...reading.damage, effect: 'ignored' })
      }
    }
  }
  const missing = required.find((name) => !Object.hasOwn(source, name))
  return missing === undefined
    ? { value: Object.fromEntries(fields) }
    : damaged(undefined, { ...place, path: place.path === '' ? missing : `${place.path}.${missing}` })
}

function damaged(value: unknown, { path }: Place): { readonly damage: Damage } {
  const kind = Array.isArray(value) ? 'list' : typeof value
  const reason =
    value === undefined
      ? 'is missing'
      : value === null
        ? 'is null'
        : saysNothing(value)
          ? 'is blank'
          : `is another shape: ${kind}`
  return { damage: { path, reason } }
}

function saysNothing(value: unknown, levels = LEVELS_MAX): boolean {
  if (typeof value === 'string') {
    return !VISIBLE.test(value)
  }
  if (typeof value !== 'object' || value === null) {
    return value === null || value === undefined
  }
  const fields: readonly unknown[] = Object.values(value)
  return levels > 0 && fields.length > 0 && fields.every((field) => saysNothing(field, levels - 1))
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOfNumber(value: number): unknown {
  const text = String(value)
  return /^-?\d+(\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= DIGITS_MAX ? text : value
}
