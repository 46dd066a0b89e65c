/** Writes the union of the events in a list, and finds what the types of an event begin with. */
import { type OpenApiDocument, referredName, type Schema } from './openapi-types.ts'
import { annotatedUnion, exploded, indent, literal } from './python-text.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** Whether a schema is a union of events. */
export function isEventUnion(schema: Schema, schemas: Schemas): boolean {
  const members = (schema.anyOf ?? []).map((branch) => schemas[referredName(branch) ?? ''])
  return members.length > 1 && members.every((member) => typesOf(member, schemas).length > 0)
}

/** The type of an event in a list; what is newer than this client is received as `UnknownEvent`. */
export function eventUnion(name: string, schema: Schema, schemas: Schemas): readonly string[] {
  const members = (schema.anyOf ?? []).map((branch) => referredName(branch) ?? '')
  const models = members.map((member) => `${literal(typeBeginning(schemas, member))}: ${member}`)
  return annotatedUnion(
    name,
    schema.description,
    [...members, 'UnknownEvent'],
    ['BeforeValidator(', ...indent(['event_reader(', ...indent(exploded('{', models, '}')), ')']), '),'],
  )
}

function typesOf(schema: Schema | undefined, schemas: Schemas): readonly string[] {
  const type = schema?.properties?.['type']
  const resolved = schemas[referredName(type ?? {}) ?? ''] ?? type
  return resolved?.enum ?? (typeof resolved?.const === 'string' ? [resolved.const] : [])
}

/** What all types of an event begin with, up to their last underscore; a type without one as a whole. */
export function typeBeginning(schemas: Schemas, model: string): string {
  const types = typesOf(schemas[model], schemas)
  const [first = ''] = types
  const words = first.split('_')
  const beginnings = words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('_')}_`)
  return beginnings.findLast((beginning) => types.every((type) => type.startsWith(beginning))) ?? first
}
