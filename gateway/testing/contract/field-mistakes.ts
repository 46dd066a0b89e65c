/** Generates requests with one mistake in one field, for every field of a valid request. */
import type { ValidRequest } from './mutated-requests.ts'

/** The mistakes of developers, in the order in which they are tried. */
export const MISTAKE_KINDS = ['missing', 'type', 'length', 'form', 'choice', 'name'] as const
export type MistakeKind = (typeof MISTAKE_KINDS)[number]

/** A request with a mistake, and what its error must name. */
export type FieldMistake = {
  readonly kind: MistakeKind
  readonly request: ValidRequest
  /** Where the mistake is, for example `.transactions[0].amount`. */
  readonly path: string
  /** The name that the message must have: that of the field, or the right one of a misspelt field. */
  readonly named: string
}

type Schema = Readonly<Record<string, unknown>>
type Place = 'body' | 'query'
/** `names` lead to the field; its parent may be a list. */
type Field = {
  readonly place: Place
  readonly names: readonly string[]
  readonly schema: Schema
  readonly isRequired: boolean
  /** It selects the branch of a union: without it, no field of the union is known. */
  readonly isTag: boolean
}
type Change = { readonly kind: MistakeKind; readonly value: unknown }

/** No value. */
const MISSING = Symbol('missing')
const STRICT = { prefer: 'handling=strict, errors=detailed' }
const NO_PATTERNS = ['!', ' ', '-', '', 'ø/']
/** A nearest name is offered from this length on. */
const NAME_CHARACTERS_MIN = 4

/** Every mistake that the schema of the operation excludes by itself. */
export function* fieldMistakes(request: ValidRequest): Iterable<FieldMistake> {
  for (const field of fieldsOf(request)) {
    const { names, isTag } = field
    const name = names.at(-1) ?? ''
    const path = pathOf(names)
    for (const { kind, value } of changesOf(field, request)) {
      yield { kind, path, named: name, request: changed(request, field, [name, value]) }
    }
    if (!isTag && !/^\d+$/.test(name)) {
      yield misspelt(request, field, name)
    }
  }
}

/** Optional fields, too: the request is one that rejects unknown fields. */
function misspelt(request: ValidRequest, field: Field, name: string): FieldMistake {
  const as = misspeltName(name)
  const value = valueAt(request[field.place], field.names) ?? 'x'
  return {
    kind: 'name',
    path: pathOf([...field.names.slice(0, -1), as]),
    named: name.length < NAME_CHARACTERS_MIN ? as : name,
    request: { ...changed(request, field, [as, value]), ...strict(request) },
  }
}

function strict({ headers }: ValidRequest): Pick<ValidRequest, 'headers'> {
  return { headers: { ...headers, ...STRICT } }
}

function fieldsOf({ operation, body, query }: ValidRequest): readonly Field[] {
  const inQuery = operation.query === undefined ? [] : [...below(operation.query, query, 'query', [])]
  return operation.body === undefined ? inQuery : [...below(operation.body, body, 'body', []), ...inQuery]
}

/** The fields of a value; optional ones that the example does not have, too. */
function* below(schema: object, value: unknown, place: Place, names: readonly string[]): Iterable<Field> {
  const { properties, required, items } = branchOf(schema, value)
  if (Array.isArray(value)) {
    const element = { place, names: [...names, '0'], schema: Object(items), isRequired: false, isTag: false }
    yield* value.length === 0 ? [] : [element, ...below(Object(items), value[0], place, element.names)]
    return
  }
  const isObject = typeof value === 'object' && value !== null
  for (const [name, member] of isObject ? Object.entries(Object(properties)) : []) {
    const isRequired = [required].flat().includes(name)
    const field = { place, names: [...names, name], schema: Object(member), isRequired, isTag: name === tagOf(schema) }
    yield field
    yield* below(field.schema, Reflect.get(Object(value), name), place, field.names)
  }
}

function tagOf(schema: object): unknown {
  return 'discriminator' in schema ? Object(schema.discriminator).propertyName : undefined
}

/** The branch of a union that the tag of the value selects. */
function branchOf(schema: object, value: unknown): Schema {
  const { oneOf } = Object(schema)
  const tag = String(tagOf(schema))
  const branches: readonly unknown[] = Array.isArray(oneOf) ? oneOf : []
  const found = branches.find((branch) => Object(branch).properties?.[tag]?.const === Object(value)[tag])
  return Object(found ?? schema)
}

function* changesOf({ place, schema, isRequired }: Field, { operation }: ValidRequest): Iterable<Change> {
  const { type, enum: values, const: constant, maxLength, pattern, format } = schema
  if (isRequired) {
    yield { kind: 'missing', value: MISSING }
  }
  // A form has texts only.
  if (place === 'body' && operation.bodyType !== 'form' && typeof type === 'string') {
    yield { kind: 'type', value: type === 'object' || type === 'array' ? 'text' : { wrong: 'type' } }
  }
  if (place === 'query' && (type === 'integer' || type === 'boolean')) {
    yield { kind: 'type', value: 'text' }
  }
  if (typeof maxLength === 'number') {
    yield { kind: 'length', value: '1'.repeat(maxLength + 1) }
  }
  const wrong = NO_PATTERNS.find((text) => !new RegExp(String(pattern ?? '^'), 'u').test(text))
  if (wrong !== undefined || typeof format === 'string') {
    yield { kind: 'form', value: wrong ?? '!' }
  }
  if (Array.isArray(values) || typeof constant === 'string') {
    yield { kind: 'choice', value: 'NoSuchChoice' }
  }
}

function changed(
  request: ValidRequest,
  { place, names }: Field,
  [name, value]: readonly [string, unknown],
): ValidRequest {
  return { ...request, [place]: withMember(request[place], names, [name, value]) }
}

/** The value with the last name of the path replaced by another member. */
function withMember(value: unknown, [name = '', ...rest]: readonly string[], put: readonly [string, unknown]): unknown {
  if (rest.length > 0) {
    const inner = withMember(Reflect.get(Object(value), name), rest, put)
    return Array.isArray(value) ? value.with(Number(name), inner) : { ...Object(value), [name]: inner }
  }
  const [as, part] = put
  if (Array.isArray(value)) {
    return value.with(Number(name), part)
  }
  const { [name]: _replaced, ...others } = Object(value)
  return part === MISSING ? others : { ...others, [as]: part }
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  return names.reduce((part, name) => Reflect.get(Object(part), name), value)
}

function pathOf(names: readonly string[]): string {
  return names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('') || '.'
}

/** `due_date` for `dueDate`, and `amountt` for `amount`. */
function misspeltName(name: string): string {
  const separated = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return separated === name ? `${name}${name.at(-1)}` : separated
}
