/** Reads a schema of the contract as people read it: each member with its type, its limits and what is inside it. */

/** One member of a body, a query or a header. */
export type Field = {
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly description: string
  /** What a value must keep to, in words; back quotes mark what is literal. */
  readonly limits: readonly string[]
  /** Codes of the problems that a defect is told as, where it has one of its own. */
  readonly codes: readonly string[]
  readonly inside: Inside
}

/** What an object holds: members, alternatives that a member tells apart, and which members go together. */
export type Inside = {
  readonly fields: readonly Field[]
  readonly variants: readonly { readonly name: string; readonly description: string; readonly inside: Inside }[]
  readonly needs: readonly (readonly string[])[]
}

type Schema = Readonly<Record<string, unknown>>

const NOTHING: Inside = { fields: [], variants: [], needs: [] }
/** Says that a text holds something besides white space. */
const NOT_BLANK = '\\S'

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'a time with its offset, as `2026-11-23T09:01:01.000Z`',
  uri: 'an address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

/** What is inside a schema, whatever lists surround it. */
export function insideOf(schema: unknown): Inside {
  if (!isObject(schema)) {
    return NOTHING
  }
  if (schema['items'] !== undefined) {
    return insideOf(schema['items'])
  }
  const required = textsOf(schema['required'])
  const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
  return {
    fields: members.map(([name, member]) => fieldOf(name, member, required.includes(name))),
    variants: schemasOf(schema['oneOf']).map((variant) => variantOf(variant, schema['discriminator'])),
    needs: schemasOf(schema['anyOf']).flatMap((branch) => (isTyped(branch) ? [] : [textsOf(branch['required'])])),
  }
}

/** One member. */
export function fieldOf(name: string, schema: unknown, required: boolean): Field {
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
    inside: insideOf(member),
  }
}

/** The type in words: `list of object`, `string or null`. */
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

/** Each branch by its type where they have several. */
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
    ...spanOf(schema, ['minItems', 'maxItems'], 'entries'),
    ...(schema['uniqueItems'] === true ? ['each once'] : []),
    ...patternOf(schema['pattern']),
    ...(schema['default'] === undefined ? [] : [`${quoted(schema['default'])} unless given`]),
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
  if (typeof pattern !== 'string') {
    return []
  }
  return [pattern === NOT_BLANK ? 'not blank' : `matches ${quoted(pattern)}`]
}

function variantOf(schema: Schema, discriminator: unknown): Inside['variants'][number] {
  const tag = isObject(discriminator) ? String(discriminator['propertyName']) : ''
  const member = isObject(schema['properties']) ? schema['properties'][tag] : undefined
  const value = isObject(member) ? member['const'] : undefined
  return {
    name: `${tag} ${quoted(value)}`,
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
    inside: insideOf(schema),
  }
}

function quoted(value: unknown): string {
  return `\`${String(value)}\``
}

/** Branches that only say which members must be there describe no value. */
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
