/** Renders the fields of a schema as a nested list. */
import { html } from 'ghtml'

/** The fields of a body, a query or the headers. */
export function fieldList({ fields, variants, needs }: SchemaDescription): string {
  return [
    fields.length === 0 ? '' : `<ul class="fields">${fields.map(fieldItem).join('')}</ul>`,
    needs.length === 0 ? '' : `<p class="needs">${renderInlineCode(needsOf(needs))}</p>`,
    ...variants.map(variantPart),
  ].join('')
}

function fieldItem({ name, type, required, description, limits, codes, inside }: FieldDescription): string {
  const details = [...limits.map(renderInlineCode), ...codes.map((code) => html`error <code>${code}</code>`)]
  return html`<li>
<p class="field"><code class="name">${name}</code> <span class="type">${type}</span>!${required ? '' : ' <span class="optional">optional</span>'}</p>
<p>!${renderInlineCode(description)}</p>
!${details.length === 0 ? '' : `<p class="limits">${details.join(' · ')}</p>`}
!${fieldList(inside)}
</li>`
}

function variantPart({ name, description, inside }: SchemaDescription['variants'][number]): string {
  return html`<div class="variant">
<p class="field">!${renderInlineCode(name)}</p>
<p>!${renderInlineCode(description)}</p>
!${fieldList(inside)}
</div>`
}

function needsOf(needs: SchemaDescription['needs']): string {
  const sets = needs.map((names) => names.map((name) => `\`${name}\``).join(', '))
  return `Requires ${sets.join('; or ')}.`
}

/** The text as HTML. */
export function renderInlineCode(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
    .join('')
}

/** A field of a body, a query or the headers. */
type FieldDescription = {
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly description: string
  /** The limits of the value as text; back quotes mark literals. */
  readonly limits: readonly string[]
  /** The validation error codes of the field. */
  readonly codes: readonly string[]
  readonly inside: SchemaDescription
}

/** The content of an object: fields, variants by a discriminator, and sets of fields that are required together. */
export type SchemaDescription = {
  readonly fields: readonly FieldDescription[]
  readonly variants: readonly {
    readonly name: string
    readonly description: string
    readonly inside: SchemaDescription
  }[]
  readonly needs: readonly (readonly string[])[]
}

type Schema = Readonly<Record<string, unknown>>

const EMPTY_SCHEMA: SchemaDescription = { fields: [], variants: [], needs: [] }
/** The pattern for a text that is not only white space. */
const NOT_BLANK = '\\S'
/** Longer patterns, such as that of an IPv6 address, explain nothing that the description does not. */
const PATTERN_CHARACTERS_MAX = 80

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'a time with its offset, as `2026-11-23T09:01:01.000Z`',
  uri: 'a URL',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

/** The content of a schema; lists, and objects that may be null, are unwrapped. */
export function describeSchema(schema: unknown): SchemaDescription {
  if (!isObject(schema)) {
    return EMPTY_SCHEMA
  }
  const objects = schemasOf(schema['anyOf']).filter((branch) => branch['type'] === 'object')
  const content = schema['items'] ?? (objects.length === 1 ? objects[0] : undefined)
  if (content !== undefined) {
    return describeSchema(content)
  }
  const required = textsOf(schema['required'])
  const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
  return {
    fields: members.map(([name, member]) => describeField(name, member, required.includes(name))),
    variants: [
      ...schemasOf(schema['oneOf']).map((variant) => variantOf(variant, schema['discriminator'])),
      ...objects.map((variant) => ({ ...variantOf(variant, undefined), name: quoted(variant['title']) })),
    ],
    needs: schemasOf(schema['anyOf']).flatMap((branch) => (isTyped(branch) ? [] : [textsOf(branch['required'])])),
  }
}

export function describeField(name: string, schema: unknown, required: boolean): FieldDescription {
  const member = isObject(schema) ? schema : {}
  const branches = schemasOf(member['anyOf']).filter(isTyped)
  const limits = [...limitsOf(member), limitsOfBranches(branches)].filter((limit) => limit !== '')
  return {
    name,
    required,
    type: typeOf(member),
    description: typeof member['description'] === 'string' ? member['description'] : '',
    limits: [...new Set(limits)],
    codes: isObject(member['invalid']) ? [...new Set(textsOf(Object.values(member['invalid'])))] : [],
    inside: describeSchema(member),
  }
}

/** The type as text: `list of object`, `string or null`. */
export function typeOf(schema: unknown): string {
  if (!isObject(schema)) {
    return 'nothing'
  }
  const branches = schemasOf(schema['anyOf']).filter(isTyped)
  if (branches.length > 0 && schema['type'] === undefined) {
    return [...new Set(branches.map(typeOf))].join(' or ')
  }
  if (schema['type'] === 'array') {
    return `list of ${typeOf(schema['items'])}`
  }
  const literal = Array.isArray(schema['enum']) ? schema['enum'][0] : schema['const']
  return typeof schema['type'] === 'string' ? schema['type'] : typeof literal
}

/** The limits of each branch, prefixed by its type when there are several types. */
function limitsOfBranches(branches: readonly Schema[]): string {
  const types = new Set(branches.map(typeOf).filter((type) => type !== 'null'))
  return branches
    .map((branch) => [types.size > 1 ? typeOf(branch) : '', limitsOf(branch).join(', ')] as const)
    .filter(([, limits]) => limits !== '')
    .map((words) => words.join(' ').trim())
    .join(' or ')
}

function limitsOf(schema: Schema): readonly string[] {
  const values = Array.isArray(schema['enum']) ? schema['enum'].map(quoted) : []
  const of = schema['type'] === 'array' && isObject(schema['items']) ? limitsOf(schema['items']) : []
  return [
    ...(values.length > 0 ? [`${values.length === 1 ? 'always' : 'one of'} ${values.join(', ')}`] : []),
    ...(schema['const'] === undefined ? [] : [`always ${quoted(schema['const'])}`]),
    ...(typeof schema['format'] === 'string' ? [FORMATS[schema['format']] ?? schema['format']] : []),
    ...(schema['contentEncoding'] === undefined ? [] : [String(schema['contentEncoding'])]),
    ...(schema['minLength'] === 1 && schema['maxLength'] === undefined
      ? ['not empty']
      : spanOf(schema, ['minLength', 'maxLength'], 'characters')),
    ...spanOf(schema, ['minimum', 'maximum'], ''),
    ...spanOf(schema, ['minItems', 'maxItems'], (schema['maxItems'] ?? schema['minItems']) === 1 ? 'entry' : 'entries'),
    ...(schema['uniqueItems'] === true ? ['each once'] : []),
    ...patternOf(schema['pattern']),
    ...(schema['default'] === undefined ? [] : [`default ${quoted(schema['default'])}`]),
    ...of,
  ]
}

function spanOf(schema: Schema, [least, most]: readonly [string, string], unit: string): readonly string[] {
  const [from, to] = [schema[least], schema[most]]
  const span =
    from !== undefined && to !== undefined
      ? `${from} to ${to}`
      : from !== undefined
        ? `at least ${from}`
        : to !== undefined
          ? `at most ${to}`
          : undefined
  return span === undefined ? [] : [`${span} ${unit}`.trim()]
}

function patternOf(pattern: unknown): readonly string[] {
  if (typeof pattern !== 'string' || pattern.length > PATTERN_CHARACTERS_MAX) {
    return []
  }
  return [pattern === NOT_BLANK ? 'not blank' : `matches ${quoted(pattern)}`]
}

function variantOf(schema: Schema, discriminator: unknown): SchemaDescription['variants'][number] {
  const tag = isObject(discriminator) ? String(discriminator['propertyName']) : ''
  const member = isObject(schema['properties']) ? schema['properties'][tag] : undefined
  const value = isObject(member) ? member['const'] : undefined
  return {
    name: `${tag} ${quoted(value)}`,
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
    inside: describeSchema(schema),
  }
}

function quoted(value: unknown): string {
  return `\`${String(value)}\``
}

/** Whether a branch describes a value; branches that only list required fields do not. */
function isTyped(schema: Schema): boolean {
  return ['type', 'const', 'enum', 'anyOf', 'format'].some((keyword) => schema[keyword] !== undefined)
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function schemasOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
