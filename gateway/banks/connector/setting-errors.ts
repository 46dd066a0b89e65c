/** Says in words what is wrong with the settings of a profile: where, what is expected, and what is there instead. */
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { isObject } from '../../platform/http/tolerant-reader.ts'

/** A rule that the schema cannot express. It is applied where nothing is wrong at the paths that it reads. */
export type SettingRule<Settings> = {
  readonly reads: readonly string[]
  /** The errors, each with the path in front; empty where the rule is met. */
  readonly errors: (settings: Settings) => readonly string[]
}

type SettingError = { readonly path: string; readonly text: string }
/** The parts of a schema that profiles use. */
type Node = {
  readonly type?: string
  readonly description?: string
  readonly anyOf?: readonly Node[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly uniqueItems?: boolean
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

const SHOWN_CHARACTERS_MAX = 60

/** All errors of settings, by the schema and by the rules. `at` is the path of the settings in their file. */
export function settingErrors<Schema extends TSchema>(
  schema: Schema,
  settings: unknown,
  { rules, at = '' }: { readonly rules: readonly SettingRule<Static<Schema>>[]; readonly at?: string },
): readonly string[] {
  const found = schemaErrors(schema as Node, settings, at)
  const isSound = (path: string) => !found.some((error) => isWithin(path, error.path) || isWithin(error.path, path))
  // A rule reads only what matches the schema.
  const known = settings as Static<Schema>
  const ofRules = rules
    .filter(({ reads }) => reads.every((path) => isSound(`${at}${path}`)))
    .flatMap(({ errors }) => errors(known))
  return [...found.map(({ path, text }) => `${path || '/'}: ${text}`), ...ofRules]
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

function schemaErrors(schema: Node, value: unknown, path: string): readonly SettingError[] {
  if (Value.Check(schema as TSchema, value)) {
    return []
  }
  const part = schema.anyOf === undefined ? schema : branchOf(schema.anyOf, value)
  const inside = isObject(value) ? errorsOfFields(part, value, path) : errorsOfItems(part, value, path)
  return inside.length > 0 ? inside : [mismatch(schema, value, path)]
}

/** The branch whose fields or items are compared: the one that has some. */
function branchOf(branches: readonly Node[], value: unknown): Node {
  const isPart = ({ type }: Node) => (isObject(value) ? type === 'object' : Array.isArray(value) && type === 'array')
  return branches.find(isPart) ?? {}
}

function errorsOfFields(schema: Node, value: Readonly<Record<string, unknown>>, path: string): readonly SettingError[] {
  const { properties = {}, required = [], type } = schema
  if (type !== 'object') {
    return []
  }
  const missing = required.filter((name) => value[name] === undefined)
  return [
    ...missing.map((name) => ({ path: `${path}/${name}`, text: `is missing; it is ${describe(properties[name])}` })),
    ...Object.entries(value).flatMap(([name, field]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : patternOf(schema, name)
      return known === undefined
        ? [{ path: `${path}/${name}`, text: unknownField(schema, missing) }]
        : schemaErrors(known, field, `${path}/${name}`)
    }),
  ]
}

function patternOf({ patternProperties = {} }: Node, name: string): Node | undefined {
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern).test(name))?.[1]
}

function unknownField({ patternProperties }: Node, missing: readonly string[]): string {
  if (patternProperties !== undefined) {
    return `is no name that is possible here; names match ${Object.keys(patternProperties).join(' or ')}`
  }
  const candidates = missing.length === 0 ? '' : ` (missing here: ${missing.join(', ')})`
  return `is not a field of profiles; remove it, or correct its name${candidates}`
}

function errorsOfItems({ items, type }: Node, value: unknown, path: string): readonly SettingError[] {
  return type === 'array' && items !== undefined && Array.isArray(value)
    ? value.flatMap((item: unknown, index) => schemaErrors(items, item, `${path}/${index}`))
    : []
}

function mismatch(schema: Node, value: unknown, path: string): SettingError {
  const shown = JSON.stringify(value) ?? 'nothing'
  const cut = shown.length > SHOWN_CHARACTERS_MAX ? `${shown.slice(0, SHOWN_CHARACTERS_MAX)}…` : shown
  return { path, text: `must be ${describe(schema)}; it is ${cut}` }
}

/** What a schema accepts, in words. */
function describe(schema: Node | undefined): string {
  if (schema?.description !== undefined) {
    return schema.description
  }
  if (schema?.anyOf !== undefined) {
    return schema.anyOf.map(describe).join(', or ')
  }
  if (schema?.enum !== undefined) {
    return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`
  }
  if (schema?.const !== undefined) {
    return JSON.stringify(schema.const)
  }
  return describeType(schema ?? {})
}

function describeType(schema: Node): string {
  switch (schema.type) {
    case 'integer':
      return `a whole number${rangeOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return describeText(schema)
    case 'array':
      return describeList(schema)
    case 'object':
      return schema.properties === undefined ? 'an object' : `an object with ${(schema.required ?? []).join(', ')}`
    case 'null':
      return 'null'
    default:
      return 'an object; data/bank-profiles/README.md explains it'
  }
}

function describeList({ items, minItems = 0, uniqueItems = false }: Node): string {
  const size = minItems === 0 ? '' : ` with at least ${minItems}`
  return `a list${size}${uniqueItems ? ', without duplicates' : ''}, of which each is ${describe(items)}`
}

function rangeOf({ minimum, maximum }: Node): string {
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
}

function describeText({ format, pattern, maxLength }: Node): string {
  if (format === 'regex') {
    return 'a regular expression'
  }
  const length = maxLength === undefined ? '' : ` of at most ${maxLength} characters`
  return pattern === undefined ? `a text${length}` : `a text${length} that matches ${pattern}`
}
