/** Writes JSON schemas as TypeScript types: named ones by their name, others in place, each property with its text. */
import { asJson, type Json, type JsonObject, REQUIRED_ONE_OF } from '../openapi/schemas.ts'
import { TIMESTAMP_FORM } from '../shapes.ts'

const LINE_CHARACTERS_MAX = 120

const STEP = '  '
const REFERENCE = /^#\/components\/schemas\/(\w+)$/
const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/

/** The declaration of a named schema, with its description. */
export function typeDeclaration(name: string, schema: JsonObject): string {
  return `${docComment([textOf(schema, 'description')])}export type ${name} = ${typeOf(withoutName(schema), '')}\n`
}

export function typeOf(schema: JsonObject, indent: string): string {
  const [, name] = REFERENCE.exec(textOf(schema, '$ref') ?? '') ?? []
  if (name !== undefined) {
    return name
  }
  const { const: constant, enum: values, oneOf, anyOf } = schema
  if (constant !== undefined) {
    return literal(constant)
  }
  if (Array.isArray(values)) {
    return values.map(literal).join(' | ')
  }
  const branches = [oneOf, anyOf].find((list) => Array.isArray(list) && list.every(isWholeType))
  return Array.isArray(branches)
    ? unionOf(branches.map((branch) => typeOf(Object(branch), indent)))
    : plain(schema, indent)
}

/** An object type with the given members, each of which is written by `member`. */
export function objectType(members: readonly string[], indent: string): string {
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`
}

/** The named type of timestamps, whose form is described once instead of with each of them. */
export const TIMESTAMP_TYPE = `${docComment([`A timestamp. ${TIMESTAMP_FORM}`])}export type Timestamp = \`\${string}T\${string}.\${number}Z\`\n`

export function member(name: string, type: string, options: MemberOptions): string {
  const { description, optional, indent } = options
  const key = PLAIN_NAME.test(name) ? name : `'${name}'`
  return `${docComment([description], indent)}${indent}${key}${optional ? '?' : ''}: ${type}\n`
}

type MemberOptions = {
  readonly description?: string | undefined
  readonly optional: boolean
  readonly indent: string
}

/** A branch that only says which properties are required adds nothing to the type. */
function isWholeType(branch: Json): boolean {
  return ['type', '$ref', 'const', 'enum', 'oneOf', 'anyOf'].some((keyword) => keyword in Object(branch))
}

function plain(schema: JsonObject, indent: string): string {
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, indent)
    case 'array':
      return arrayOf(typeOf(asObject(schema['items']), indent))
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return isTimestamp(schema) ? 'Timestamp' : 'string'
    case 'boolean':
    case 'null':
      return schema['type']
    default:
      return 'unknown'
  }
}

function objectOf(schema: JsonObject, indent: string): string {
  const [pattern] = Object.values(asObject(schema['patternProperties'] ?? {}))
  const others = pattern ?? schema['additionalProperties']
  const properties = Object.entries(asObject(schema['properties'] ?? {}))
  if (properties.length === 0 && others !== undefined && others !== false) {
    return `{ [name: string]: ${others === true ? 'unknown' : typeOf(asObject(others), indent)} }`
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const deeper = indent + STEP
  const written = objectType(
    properties.map(([name, property]) =>
      member(name, typeOf(asObject(property), deeper), {
        description: describe(asObject(property)),
        optional: !required.includes(name),
        indent: deeper,
      }),
    ),
    indent,
  )
  return `${written}${alternatives(schema, indent)}`
}

/** What one of the lists of fields requires in addition: ` & ({ value: string } | { cardType: string })`. */
function alternatives({ properties, required, [REQUIRED_ONE_OF]: lists }: JsonObject, indent: string): string {
  const always = Array.isArray(required) ? required : []
  const types = (Array.isArray(lists) ? lists : []).map((names) => {
    const added = (Array.isArray(names) ? names : []).map(String).filter((name) => !always.includes(name))
    return `{ ${added.map((name) => `${name}: ${typeOf(asObject(asObject(properties)[name]), indent)}`).join('; ')} }`
  })
  return types.length === 0 ? '' : ` & (${types.join(' | ')})`
}

/** The text of a property; that of a named type is shown with the type. */
function describe(property: JsonObject): string | undefined {
  const text = textOf(property, 'description')?.replace(TIMESTAMP_FORM, '').trim()
  return property['deprecated'] === true ? `${text ?? ''} @deprecated` : text
}

/** Timestamps of responses have one form; requests may use any form of RFC 3339. */
function isTimestamp(schema: JsonObject): boolean {
  return textOf(schema, 'description')?.endsWith(TIMESTAMP_FORM) === true
}

function arrayOf(item: string): string {
  return /[ |&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function literal(value: Json): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
}

/** A named schema is written under its name; inside its own declaration the name must not stand for itself. */
function withoutName({ title: _title, ...schema }: JsonObject): JsonObject {
  return schema
}

function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = schema[keyword]
  return typeof value === 'string' ? value : undefined
}

function asObject(value: Json | undefined): JsonObject {
  return Object(asJson(value ?? {}))
}

/** A doc comment with one paragraph per text, indented; empty when there is no text. */
export function docComment(paragraphs: readonly (string | undefined)[], indent = ''): string {
  const texts = paragraphs.filter((text) => text !== undefined && text !== '').map((text) => escapeEnd(String(text)))
  if (texts.length === 0) {
    return ''
  }
  const [only = ''] = texts
  const single = `${indent}/** ${only} */\n`
  if (texts.length === 1 && single.length <= LINE_CHARACTERS_MAX + 1) {
    return single
  }
  const lines = texts.flatMap((text, at) => [...(at === 0 ? [] : ['']), ...wrap(text, indent)])
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join('\n')
}

function wrap(text: string, indent: string): readonly string[] {
  const width = LINE_CHARACTERS_MAX - indent.length - ' * '.length
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length > width && line !== '') {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

/** A text cannot end the comment that it is in. */
function escapeEnd(text: string): string {
  return text.replaceAll('*/', '*\\/').trim()
}
