/** Converts schemas to OpenAPI: titled ones become components, annotations for the server are removed. */
import type { TSchema } from 'typebox'
import { DAY } from '../shapes.ts'

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [name in string]: Json }

/** The extension with lists of fields of which one is required: `[["payrolls"], ["payrollId"]]`. */
export const REQUIRED_ONE_OF = 'x-required-one-of'

/** Collects the schemas that have a title, so that each is written once. */
export type Components = Map<string, JsonObject>

/**
 * Keywords that mean something to the server only. Generators of clients make classes of the branches of a `not`; its
 * schema says the same in its description.
 */
const OURS = new Set(['invalid', 'form', 'quotable', 'hidden', 'not'])

/** Writes a schema: a reference when it has a title, otherwise its content. */
export function writeSchema(schema: TSchema, components: Components): JsonObject {
  const written = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !OURS.has(keyword) && value !== undefined)
      .map(([keyword, value]) => [keyword, writeKeyword(keyword, value, components)]),
  )
  if (isTextOrNumber(written['anyOf'])) {
    return { ...written['anyOf'][0], ...withoutKeyword(written, 'anyOf') }
  }
  const compilable = asCompilable(written)
  const complete: JsonObject = {
    ...typeOfEnum(compilable),
    ...withRequiredOneOf(compilable),
    ...mapping(schema, written),
  }
  const { title } = complete
  return typeof title === 'string' ? refer(title, complete, components) : complete
}

function writeKeyword(keyword: string, value: unknown, components: Components): Json {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, writeSchema(asSchema(member), components)]),
    )
  }
  if (keyword === 'items') {
    return writeSchema(asSchema(value), components)
  }
  if ((keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value)) {
    return value.map((branch) => writeSchema(asSchema(branch), components))
  }
  return asJson(value)
}

/** A text that is also accepted as a number is documented as the text: clients need one type for it. */
function isTextOrNumber(branches: Json | undefined): branches is readonly [JsonObject, JsonObject] {
  const types = Array.isArray(branches) ? branches.map((branch) => Object(branch).type) : []
  return types.join() === 'string,integer'
}

/**
 * Writes "one of these lists of fields is required" as an extension, for our own generators: those of others make classes
 * without names of its branches, and linters reject examples under conditions. The description says it in words.
 */
function withRequiredOneOf(written: JsonObject): JsonObject {
  const branches = written['anyOf']
  if (!Array.isArray(branches) || !branches.every((branch) => Array.isArray(Object(branch).required))) {
    return written
  }
  return { ...withoutKeyword(written, 'anyOf'), [REQUIRED_ONE_OF]: branches.map((branch) => Object(branch).required) }
}

function withoutKeyword(written: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(written).filter(([name]) => name !== keyword))
}

/**
 * Clients that openapi-generator writes in C# do not compile with a pattern of a date, which they match with an object, or
 * with a boolean that has one value, of which they make an enum. The descriptions say it in words.
 */
function asCompilable(written: JsonObject): JsonObject {
  if (written['pattern'] === DAY) {
    return { ...withoutKeyword(written, 'pattern'), format: 'date' }
  }
  return written['type'] === 'boolean' ? withoutKeyword(written, 'const') : written
}

/** Two schemas may share a title only when they are the same. */
function refer(title: string, written: JsonObject, components: Components): JsonObject {
  const known = components.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(written)) {
    throw new Error(`Two different schemas are called ${title}`)
  }
  components.set(title, written)
  return { $ref: `#/components/schemas/${title}` }
}

/** Client generators need an explicit type, although the values imply it. */
function typeOfEnum(written: JsonObject): JsonObject {
  const values = written['enum']
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? { type: 'string' } : {}
}

/** Adds to a union which tag belongs to which branch. */
function mapping(schema: TSchema, written: JsonObject): JsonObject {
  const discriminator = written['discriminator']
  const branches = 'oneOf' in schema && Array.isArray(schema.oneOf) ? schema.oneOf : []
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') {
    return {}
  }
  const { propertyName } = discriminator
  const targets = branches.map((branch) => [tagOf(branch, propertyName), `#/components/schemas/${branch.title}`])
  return { discriminator: { propertyName, mapping: Object.fromEntries(targets) } }
}

function tagOf(branch: unknown, tag: string): string {
  const properties = isObject(branch) ? branch['properties'] : undefined
  const member = isObject(properties) ? properties[tag] : undefined
  if (!isObject(member) || typeof member['const'] !== 'string') {
    throw new Error(`A branch of a union has no constant member ${tag}`)
  }
  return member['const']
}

/** Proves that a value is JSON by passing it through JSON. */
export function asJson(value: unknown): Json {
  const parsed: Json = JSON.parse(JSON.stringify(value))
  return parsed
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asSchema(value: unknown): TSchema {
  if (!isObject(value)) {
    throw new Error('A schema must be an object')
  }
  return value
}
