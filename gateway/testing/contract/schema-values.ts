/** Generates valid and invalid values of a schema of the OpenAPI document. */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'

/** A schema without references. */
export type Schema = Readonly<Record<string, unknown>>
/** A field of a body with its path. */
export type Member = { readonly path: readonly string[]; readonly schema: Schema }

export type ValueLocation = 'body' | 'path' | 'query' | 'header'

const CHARACTERS_MAX = 60
const ajv = new Ajv({ strict: false })
const coercing = new Ajv({ strict: false, coerceTypes: true })
addFormats.default(ajv)
addFormats.default(coercing)
/** Only members are coerced; Ajv compiles each object that it has not seen. */
const asMembers = new WeakMap<Schema, Schema>()
/** Generators of texts take longer to build than to use: one per pattern and per pair of lengths. */
const texts = new Map<string, fc.Arbitrary<string>>()

/** Values that are often invalid: other types, empty and long texts, and almost valid formats. */
const SUSPECTS: readonly unknown[] = [
  ...['', ' ', 'x', 'no', 'a\nb', 'ø', '2026-02-30', '0', '-1', '1.5', 'https:', '01a207a2', 'x'.repeat(5_000)],
  ...[0, -1, 1.5, 10 ** 15, true, [], {}, ['x', 'x'], { x: 1 }],
]

/** Resolves all references in a schema. */
export function withoutReferences(schema: unknown, document: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map((part) => withoutReferences(part, document))
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema
  }
  if ('$ref' in schema && typeof schema.$ref === 'string') {
    const names = schema.$ref.split('/').slice(1)
    const target = names.reduce<unknown>((part, name) => Reflect.get(Object(part), name), document)
    return withoutReferences(target, document)
  }
  // Discriminators repeat constants of their branches.
  const parts = Object.entries(schema).filter(([name]) => name !== 'discriminator')
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutReferences(part, document)]))
}

/** All required and optional fields, at any depth. */
export function membersOf(schema: Schema, value: unknown, path: readonly string[] = []): readonly Member[] {
  const self = path.length === 0 ? [] : [{ path, schema }]
  if (Array.isArray(value)) {
    return [...self, ...value.slice(0, 1).flatMap((one) => membersOf(Object(schema['items']), one, [...path, '0']))]
  }
  const properties = Object.entries(Object(branchOf(schema, value)['properties']))
  const isObject = typeof value === 'object' && value !== null
  return isObject
    ? [
        ...self,
        ...properties.flatMap(([name, member]) => membersOf(Object(member), Reflect.get(value, name), [...path, name])),
      ]
    : self
}

/** The branch of a union that a value matches. */
function branchOf(schema: Schema, value: unknown): Schema {
  const branches: readonly Schema[] = Array.isArray(schema['oneOf']) ? schema['oneOf'] : []
  return branches.find((branch) => permits(branch, value)) ?? schema
}

/** Whether a value is valid at a location; outside of bodies a string may represent a number or a boolean. */
function permits(schema: Schema, value: unknown, place: ValueLocation = 'body'): boolean {
  return place === 'body' ? ajv.validate(schema, value) : coercing.validate(asMember(schema), { value })
}

function asMember(schema: Schema): Schema {
  return asMembers.getOrInsertComputed(schema, () => ({ type: 'object', properties: { value: schema } }))
}

/** Invalid values of a schema. Null counts as absent. */
export function excludedBy(schema: Schema, place: ValueLocation): readonly unknown[] {
  return SUSPECTS.filter((value) => canStandIn(place, value) && !permits(schema, value, place))
}

/** Valid values of a schema; undefined for objects and lists, whose elements are generated separately. */
export function permittedBy(schema: Schema, place: ValueLocation): fc.Arbitrary<unknown> | undefined {
  return candidatesOf(schema)?.filter((value) => canStandIn(place, value) && permits(schema, value, place))
}

/** Header values have no line breaks and no surrounding white space, which HTTP removes. */
function canStandIn(place: ValueLocation, value: unknown): boolean {
  const isText = place === 'body' || typeof value === 'string' || (typeof value === 'number' && place === 'query')
  return isText && (place !== 'header' || /^([!-~]([ -~]*[!-~])?)?$/.test(String(value)))
}

function candidatesOf(schema: Schema): fc.Arbitrary<unknown> | undefined {
  const {
    type,
    enum: values,
    const: constant,
    pattern,
    format,
    anyOf,
    minLength = 0,
    maxLength = CHARACTERS_MAX,
  } = schema
  const [min, max] = [Number(minLength), Math.min(Number(maxLength), CHARACTERS_MAX)]
  if (Array.isArray(anyOf)) {
    const branches = anyOf.flatMap((branch) => candidatesOf(branch) ?? [])
    return branches.length === 0 ? undefined : fc.oneof(...branches)
  }
  if (constant !== undefined || Array.isArray(values)) {
    return fc.constantFrom(...[values ?? constant].flat())
  }
  const bounds = { min: Number(schema['minimum'] ?? -1_000), max: Number(schema['maximum'] ?? 1_000_000) }
  switch (format ?? (pattern === undefined ? type : 'pattern')) {
    case 'uuid':
      return fc.uuid()
    case 'date':
      return fc
        .integer({ min: 0, max: 700 })
        .map((days) => Temporal.PlainDate.from('2026-01-01').add({ days }).toString())
    case 'date-time':
      return fc
        .integer({ min: 0, max: 10 ** 9 })
        .map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toString())
    case 'pattern':
      return texts.getOrInsertComputed(String(pattern), () => fc.stringMatching(new RegExp(String(pattern))))
    case 'string':
      return texts.getOrInsertComputed(`${min} to ${max}`, () =>
        fc.string({ minLength: min, maxLength: max, unit: 'grapheme' }),
      )
    case 'integer':
    case 'number':
      return fc.integer(bounds)
    case 'boolean':
      return fc.boolean()
    default:
      return undefined
  }
}
