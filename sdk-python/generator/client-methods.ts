/** Describes the client's method for each operation: name, arguments and result as Python types. */
import type { Definitions } from './model-definitions.ts'
import { type OpenApiDocument, referredName, type Schema } from './openapi-types.ts'
import { constantCase, pascalCase, snakeCase } from './python-names.ts'
import { type LocatedOperation, operationsOf, successesOf } from './schema-usage.ts'

/** An argument of a method. */
export type Argument = {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly place: 'path' | 'query' | 'body' | 'header'
  /** The parameter's name in the path or the query. */
  readonly wire?: string
}

/** A method of the client. */
export type ClientMethod = {
  readonly operation: LocatedOperation
  readonly name: string
  /** The name of its entry in the table of operations. */
  readonly constant: string
  readonly arguments: readonly Argument[]
  /** The Python type of the response; `None` if it has no body. */
  readonly result: string
  readonly statuses: readonly string[]
  readonly isIdempotent: boolean
  readonly isForm: boolean
  readonly needsToken: boolean
  readonly server: 'base' | 'auth' | 'onboarding'
  /** Media types other than JSON that it answers. */
  readonly mediaTypes: readonly string[]
  /** How a list is iterated over; absent for operations that return no list in parts. */
  readonly iteration?: Iteration
}

/** By a cursor, by a position, or by the elements of one response while it arrives. */
export type Iteration = {
  readonly by: 'cursor' | 'position' | 'elements'
  /** The field that has the items, in Python and on the wire, and their type. */
  readonly field: string
  readonly wire: string
  readonly item: string
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The arguments that are sent as headers, by the name of the header's component. */
const HEADER_ARGUMENTS: Readonly<Record<string, Omit<Argument, 'place'>>> = {
  ConsentId: { name: 'consent_id', type: 'str', isRequired: true, description: 'The consent of the request.' },
  PsuIpAddress: { name: 'psu', type: 'PsuSession', isRequired: true, description: "The user's present session." },
  OptionalPsuIpAddress: {
    name: 'psu',
    type: 'PsuSession',
    isRequired: false,
    description: "The user's present session; absent when the user is not there.",
  },
  IdempotencyKey: {
    name: 'idempotency_key',
    type: 'str',
    isRequired: false,
    description: 'Makes repetitions safe; the client makes one for each call and uses it for its own retries.',
  },
}

/** All methods, in the order of the document. */
export function clientMethodsOf(document: OpenApiDocument, definitions: Definitions): readonly ClientMethod[] {
  return operationsOf(document).map((operation) => methodOf(document, definitions, operation))
}

function methodOf(document: OpenApiDocument, definitions: Definitions, operation: LocatedOperation): ClientMethod {
  const headers = operation.parameters.map((parameter) => referredName(parameter) ?? '')
  const successes = successesOf(operation)
  const content = successes[0]?.[1].content ?? {}
  const answer = content[JSON_TYPE]?.schema
  const owner = pascalCase(operation.operationId)
  const iteration = iterationOf(document, operation, answer, definitions)
  return {
    operation,
    name: snakeCase(operation.operationId),
    constant: constantCase(operation.operationId),
    arguments: [...locatedArguments(operation, owner, definitions), ...headerArguments(headers)],
    result: answer === undefined ? 'None' : definitions.typeOf(answer, owner, 'response'),
    statuses: successes.map(([status]) => status),
    isIdempotent: headers.includes('IdempotencyKey'),
    isForm: operation.requestBody?.content[FORM_TYPE] !== undefined,
    needsToken: operation.security?.length !== 0,
    server: serverOf(operation.path),
    mediaTypes: Object.keys(content).filter((type) => type !== JSON_TYPE),
    ...(iteration === undefined ? {} : { iteration }),
  }
}

/** Path parameters and body come first, in this order. */
function locatedArguments(operation: LocatedOperation, owner: string, definitions: Definitions): readonly Argument[] {
  const located = operation.parameters.filter(({ $ref }) => $ref === undefined)
  const parameters = located.map(({ name, in: place, required, description, schema }) => ({
    name: snakeCase(name),
    type: definitions.typeOf(schema, owner, name, 'sent'),
    isRequired: required,
    description: description ?? schema.description ?? '',
    wire: name,
    place: place === 'path' ? ('path' as const) : ('query' as const),
  }))
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const type = body && definitions.typeOf(body.schema, owner, 'Request', 'sent')
  const described = { name: 'body', isRequired: true, description: 'The body of the request.' }
  return [
    ...parameters.filter(({ place }) => place === 'path'),
    ...(type === undefined ? [] : [{ ...described, type, place: 'body' as const }]),
    ...parameters.filter(({ place }) => place === 'query'),
  ]
}

function headerArguments(headers: readonly string[]): readonly Argument[] {
  return Object.entries(HEADER_ARGUMENTS)
    .filter(([header]) => headers.includes(header))
    .map(([, argument]) => ({ ...argument, place: 'header' }))
}

/** The document gives each server a URL, which is the same for all of them on one machine. */
function serverOf(path: string): ClientMethod['server'] {
  if (path.startsWith('/onboarding')) {
    return 'onboarding'
  }
  return path.startsWith('/v2/connect/') || path.startsWith('/.well-known/') ? 'auth' : 'base'
}

/** A response with one array of objects that arrives in pages, or is long enough to be streamed. */
function iterationOf(
  { components }: OpenApiDocument,
  operation: LocatedOperation,
  answer: Schema | undefined,
  definitions: Definitions,
): Iteration | undefined {
  const page = components.schemas[referredName(answer ?? {}) ?? ''] ?? {}
  const fields = new Set(Object.keys(page.properties ?? {}))
  const lists = Object.entries(page.properties ?? {}).filter(([, { type }]) => type === 'array')
  const [wire, schema] = lists[0] ?? []
  const by = fields.has('nextCursor') ? 'cursor' : fields.has('nextAfter') ? 'position' : 'elements'
  const isStreamed = operation.responses['200']?.content?.['text/csv'] !== undefined
  if (lists.length !== 1 || wire === undefined || (by === 'elements' && !isStreamed)) {
    return undefined
  }
  return { by, field: snakeCase(wire), wire, item: definitions.typeOf(schema?.items ?? {}, pascalCase(wire)) }
}
