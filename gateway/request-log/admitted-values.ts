/** Says which values the contract admits to the request log, by the schemas that describe a place. */
import type { TSchema } from 'typebox'
import { isId } from '../platform/ids.ts'

/** The schemas that may describe one place of a body: none where the operation does not know it. */
export type Schemas = readonly TSchema[]

/**
 * `open` admits whatever a schema describes and does not call `hidden`; `confidential` only structure: ids, dates, codes,
 * choices, counts and flags, which no person entered. `confidential error` admits the words of our own errors, too.
 */
export type LogPolicy = 'open' | 'confidential' | 'confidential error'

const DAY_OR_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/
/** Of a code or a time; longer ones are neither. */
const CODE_CHARACTERS_MAX = 40
const JOINING = ['anyOf', 'oneOf', 'allOf'] as const

const NONE: Schemas = []
/** Every request asks for the same places: what was found is cached for as long as the contract's schemas. */
const branchesBySchema = new WeakMap<TSchema, Schemas>()
const placesBySchemas = new WeakMap<Schemas, Map<string, Schemas>>()
const patterns = new Map<string, RegExp>()
/** The place of the elements of a list, and of names that an object may choose; no field has these names. */
const [ELEMENTS, ANY_NAME] = ['[]', '*']

/** A schema with the branches of its unions. */
export function schemasOf(schema: TSchema | null | undefined): Schemas {
  if (schema === null || schema === undefined) {
    return NONE
  }
  const known = branchesBySchema.get(schema)
  const found = known ?? [schema, ...JOINING.flatMap((keyword) => listIn(schema, keyword).flatMap(schemasOf))]
  branchesBySchema.set(schema, found)
  return found
}

/** The schemas of a field; of any other name where an object may have all. */
export function fieldSchemas(schemas: Schemas, name: string): Schemas {
  const own = schemas.some((schema) => memberOf(schema, 'properties', name) !== undefined)
  return own
    ? placeOf(schemas, name, (schema) => memberOf(schema, 'properties', name))
    : placeOf(schemas, ANY_NAME, (schema) => memberOf(schema, 'patternProperties', undefined))
}

export function elementSchemas(schemas: Schemas): Schemas {
  return placeOf(schemas, ELEMENTS, (schema) => schemaIn(Reflect.get(schema, 'items')))
}

function placeOf(schemas: Schemas, place: string, find: (schema: TSchema) => TSchema | undefined): Schemas {
  const places = placesBySchemas.get(schemas) ?? new Map<string, Schemas>()
  const found = places.get(place) ?? schemas.flatMap((schema) => schemasOf(find(schema)))
  placesBySchemas.set(schemas, places.set(place, found))
  return found
}

export function isHidden(schemas: Schemas): boolean {
  return schemas.some((schema) => Reflect.get(schema, 'hidden') === true)
}

/** Whether a text, number or flag may be shown. */
export function isAdmitted(schemas: Schemas, policy: LogPolicy, value: unknown): boolean {
  return schemas.some(
    (schema) => isStructure(schema, value) || (policy !== 'confidential' && describes(schema, value, policy)),
  )
}

export function isStructure(schema: TSchema, value: unknown): boolean {
  const { type, format, quotable } = fieldsOf(schema)
  if (Reflect.get(schema, 'const') === value || listIn(schema, 'enum').some((choice) => choice === value)) {
    return true
  }
  if (typeof value !== 'string') {
    return (type === 'boolean' && typeof value === 'boolean') || (type === 'integer' && Number.isSafeInteger(value))
  }
  const isCode = quotable === true && matches(schema, value)
  return (format === 'uuid' && isId(value)) || (isCode || format === 'date-time' ? isCode || isTime(value) : false)
}

/** A choice, an id and a time are shown only if they are one: anything else in their place is content. */
function describes(schema: TSchema, value: unknown, policy: LogPolicy): boolean {
  const { type, format, quotable, enum: choices, const: constant } = fieldsOf(schema)
  if (typeof value === 'number') {
    return type === 'number' || type === 'integer'
  }
  // What an error quotes was not a code or a date.
  const isQuoted = quotable === true && policy === 'confidential error'
  const isFree =
    !isQuoted && choices === undefined && constant === undefined && (format === undefined || format === 'uri')
  return type === 'string' && typeof value === 'string' && isFree
}

function matches(schema: TSchema, value: string): boolean {
  const { pattern } = fieldsOf(schema)
  if (typeof pattern !== 'string' || value.length > CODE_CHARACTERS_MAX) {
    return false
  }
  const compiled = patterns.get(pattern) ?? new RegExp(pattern, 'u')
  patterns.set(pattern, compiled)
  return compiled.test(value)
}

function isTime(value: string): boolean {
  return value.length <= CODE_CHARACTERS_MAX && DAY_OR_INSTANT.test(value)
}

function fieldsOf(schema: TSchema): Readonly<Record<string, unknown>> {
  return schema as unknown as Readonly<Record<string, unknown>>
}

function listIn(schema: TSchema, keyword: string): readonly TSchema[] {
  const value = Reflect.get(schema, keyword)
  return Array.isArray(value) ? value : []
}

/** The schema of a name in a keyword that maps names to schemas; of the first name there if none is given. */
function memberOf(schema: TSchema, keyword: string, name: string | undefined): TSchema | undefined {
  const members: unknown = Reflect.get(schema, keyword)
  if (typeof members !== 'object' || members === null) {
    return undefined
  }
  const found =
    name === undefined
      ? Object.values(members)[0]
      : Object.hasOwn(members, name)
        ? Reflect.get(members, name)
        : undefined
  return schemaIn(found)
}

function schemaIn(value: unknown): TSchema | undefined {
  return typeof value === 'object' && value !== null ? (value as TSchema) : undefined
}
