/** Defines a Python class or type alias for every named schema, and for every inline object and enumeration. */
import { eventUnion, isEventUnion } from './event-union.ts'
import { type OpenApiDocument, referredName, type Schema } from './openapi-types.ts'
import { constantCase, pascalCase, snakeCase, wireName } from './python-names.ts'
import { annotatedUnion, assignment, docstring, exploded, indent, literal } from './python-text.ts'
import {
  constantType,
  constantValue,
  type Direction,
  isTextOrNumber,
  onlyValue,
  scalarType,
  withoutNull,
} from './python-types.ts'
import { type SchemaUsage, usageOf } from './schema-usage.ts'

/** A class or alias with its source lines. */
export type Definition = { readonly name: string; readonly lines: readonly string[] }

/** Where a type occurs: what an inline definition is called, and its name on the wire. */
type Place = { readonly owner: string; readonly field: string; readonly direction: Direction; readonly isTag?: boolean }

/** The definitions so far, each after those that it uses. */
export type Definitions = {
  /** The Python type of a schema; defines what it needs. */
  typeOf(schema: Schema, owner: string, field?: string, direction?: Direction): string
  /** Defines a component. */
  define(name: string): void
  all(): readonly Definition[]
}

/** What the functions of this file share. */
type Scope = {
  readonly document: OpenApiDocument
  readonly usage: SchemaUsage
  /** The discriminating field of each branch of a union. */
  readonly tags: ReadonlyMap<string, string>
  /** Null while a definition is being written. */
  readonly defined: Map<string, Definition | null>
}

export function collectDefinitions(document: OpenApiDocument): Definitions {
  const scope: Scope = { document, usage: usageOf(document), tags: tagFieldsOf(document), defined: new Map() }
  return {
    typeOf: (schema, owner, field = '', direction = 'received') => typeAt(scope, schema, { owner, field, direction }),
    define: (name) => define(scope, name),
    all: () => [...scope.defined.values()].filter((definition) => definition !== null),
  }
}

function define(scope: Scope, name: string): void {
  const schema = scope.document.components.schemas[name]
  if (schema === undefined) {
    throw new Error(`docs/openapi.json has no schema ${name}`)
  }
  const { sent, received } = scope.usage
  const direction = received.has(name) ? (sent.has(name) ? 'both' : 'received') : 'sent'
  add(scope, name, () => definitionOf(scope, name, schema, direction))
}

function add({ defined }: Scope, name: string, write: () => readonly string[]): void {
  if (defined.get(name) === undefined) {
    defined.set(name, null)
    const lines = write()
    // Set again, so that a definition comes after those that it uses.
    defined.delete(name)
    defined.set(name, { name, lines })
  }
}

function typeAt(scope: Scope, schema: Schema, place: Place): string {
  const only = onlyValueOf(scope, schema)
  if (only !== undefined) {
    return constantType(only, place.isTag === true || place.direction === 'sent')
  }
  const name = referredName(schema)
  if (name !== undefined) {
    define(scope, name)
    return name
  }
  const nonNull = withoutNull(schema)
  if (nonNull !== undefined) {
    return `${typeAt(scope, nonNull, place)} | None`
  }
  const references = (schema.anyOf ?? []).flatMap((branch) => referredName(branch) ?? [])
  if (references.length > 1 && references.length === schema.anyOf?.length) {
    return anyOfModels(scope, references)
  }
  if (schema.enum !== undefined || schema.properties !== undefined) {
    const inline = `${place.owner}${pascalCase(place.field)}`
    add(scope, inline, () => definitionOf(scope, inline, schema, place.direction))
    return inline
  }
  return isTextOrNumber(schema) ? 'str' : containerType(scope, schema, place)
}

/** The first that fits; what none of them describes, because it was added later, is a dictionary. */
function anyOfModels(scope: Scope, names: readonly string[]): string {
  for (const name of names) {
    define(scope, name)
  }
  return `Annotated[Union[${names.join(', ')}, dict[str, object]], Field(union_mode="left_to_right")]`
}

function onlyValueOf({ document }: Scope, schema: Schema): string | boolean | undefined {
  return onlyValue(document.components.schemas[referredName(schema) ?? ''] ?? schema)
}

function containerType(scope: Scope, schema: Schema, place: Place): string {
  if (schema.type === 'array') {
    return `list[${typeAt(scope, schema.items ?? {}, place)}]`
  }
  if (schema.type === 'object') {
    const [value] = Object.values(schema.patternProperties ?? {})
    return `dict[str, ${value === undefined ? 'object' : typeAt(scope, value, place)}]`
  }
  return scalarType(schema, place.field, place.direction)
}

function definitionOf(scope: Scope, name: string, schema: Schema, direction: Direction): readonly string[] {
  if (schema.enum !== undefined) {
    return enumeration(name, schema, direction)
  }
  const { schemas } = scope.document.components
  if (isEventUnion(schema, schemas)) {
    for (const branch of schema.anyOf ?? []) {
      define(scope, referredName(branch) ?? '')
    }
    return eventUnion(name, schema, schemas)
  }
  return schema.oneOf === undefined ? model(scope, name, schema, direction) : union(scope, name, schema, direction)
}

function model(scope: Scope, name: string, schema: Schema, direction: Direction): readonly string[] {
  const sameNames = hasSameNames(schema)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, member]) =>
    fieldLines({
      field,
      description: member.description,
      type: typeAt(scope, member, { owner: name, field, direction, isTag: scope.tags.get(name) === field }),
      isRequired: schema.required?.includes(field) === true,
      isDerived: sameNames || wireName(snakeCase(field)) === field,
      only: onlyValueOf(scope, member),
    }),
  )
  const parent = direction === 'sent' ? 'RequestModel' : 'Model'
  const text = docstring(schema.description ?? name, 1)
  const naming = sameNames ? ['model_config = SAME_NAMES', ''] : []
  const body = [...naming, ...fields]
  return [`class ${name}(${parent}):`, ...indent(body.length === 0 ? text : [...text, '', ...body])]
}

function union(scope: Scope, name: string, schema: Schema, direction: Direction): readonly string[] {
  const { propertyName, mapping } = schema.discriminator ?? { propertyName: 'type', mapping: {} }
  const branches = Object.entries(mapping).map(([tag, reference]) => [tag, referredName({ $ref: reference }) ?? ''])
  const members = branches.map(([, member = '']) => member)
  for (const member of members) {
    define(scope, member)
  }
  const tag = literal(snakeCase(propertyName))
  if (direction === 'sent') {
    return annotatedUnion(name, schema.description, members, [`Field(discriminator=${tag}),`])
  }
  // A branch that this client does not know yet is received as `UnknownVariant`.
  const tagged = branches.map(([value = '', member = '']) => `Annotated[${member}, Tag(${literal(value)})]`)
  const reader = `tag_reader(${[tag, ...branches.map(([value = '']) => literal(value))].join(', ')})`
  const all = [...tagged, 'Annotated[UnknownVariant, Tag(UNKNOWN)]']
  return annotatedUnion(name, schema.description, all, [`Discriminator(${reader}),`])
}

/** The discriminating field of every branch of a union. */
function tagFieldsOf({ components }: OpenApiDocument): ReadonlyMap<string, string> {
  return new Map(
    Object.values(components.schemas).flatMap(({ discriminator }) =>
      Object.values(discriminator?.mapping ?? {}).map(
        (reference) => [referredName({ $ref: reference }) ?? '', discriminator?.propertyName ?? ''] as const,
      ),
    ),
  )
}

/** Whether all names of a model on the wire are those in Python; otherwise they are in camel case. */
function hasSameNames({ properties = {} }: Schema): boolean {
  const fields = Object.keys(properties)
  return fields.some((field) => field.includes('_')) && fields.every((field) => snakeCase(field) === field)
}

type ModelField = {
  readonly field: string
  readonly description: string | undefined
  readonly type: string
  readonly isRequired: boolean
  /** Its value, if it has only one. */
  readonly only: string | boolean | undefined
  /** Whether its name on the wire follows from that in Python. */
  readonly isDerived: boolean
}

function fieldLines({ field, description, type, isRequired, isDerived, only }: ModelField): readonly string[] {
  const isNullable = type.endsWith('| None')
  const shown = isRequired || isNullable ? type : `${type} | None`
  const fixed = isRequired && only !== undefined ? ` = ${constantValue(only)}` : ''
  const value = isRequired && !isNullable ? fixed : ' = None'
  const named = isDerived ? shown : `Annotated[${shown}, alias(${literal(field)})]`
  const text = description === undefined ? [] : docstring(description, 1)
  return [`${snakeCase(field)}: ${named}${value}`, ...text]
}

/** Values that are received may be newer than this client; those that are only sent are the known ones. */
function enumeration(name: string, schema: Schema, direction: Direction): readonly string[] {
  const values = schema.enum ?? []
  const text = schema.description ?? name
  if (direction === 'sent') {
    return [...exploded(`${name}: TypeAlias = Literal[`, values.map(literal), ']'), ...docstring(text, 0)]
  }
  const members = values.flatMap((value) => assignment(constantCase(value), literal(value), 1))
  return [`class ${name}(OpenEnum):`, ...indent([...docstring(text, 1), '', ...members])]
}
