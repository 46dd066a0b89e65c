/** Generates the parameters of an operation: path, query and headers. */
import type { Operation } from '../operation.ts'
import { type Components, type Json, type JsonObject, writeSchema } from './schemas.ts'

/**
 * What `net.isIP` accepts, without zone identifiers, which name an interface of one machine. Client generators reject
 * an `anyOf` of formats, and with it every operation that has the header.
 */
const IP_ADDRESS = addressPattern()
/** As a pattern: `openapi-python-client` makes an object of `format: uuid`, which its HTTP client rejects as a header. */
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
/** HTTP trims the spaces around a value; the rest must not be empty. */
const VISIBLE_TEXT = { type: 'string', minLength: 1, pattern: '[!-~]' } as const
const PRINTABLE_KEY = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' } as const

/** Headers that operations refer to, by the name of their component. */
export const headerParameters = {
  ConsentId: header('consent-id', true, { type: 'string', pattern: UUID }, 'The consent of the request: its id.'),
  PsuIpAddress: header(
    'PSU-IP-Address',
    true,
    { type: 'string', pattern: IP_ADDRESS },
    "The IP address (IPv4 or IPv6) of the user's present session, never a stored one; in production no private one.",
  ),
  PsuUserAgent: header(
    'PSU-User-Agent',
    true,
    VISIBLE_TEXT,
    "The User-Agent of the user's browser, forwarded; not empty.",
  ),
  OptionalPsuIpAddress: header(
    'PSU-IP-Address',
    false,
    { type: 'string', pattern: `^$|${IP_ADDRESS}` },
    "The IP address (IPv4 or IPv6) of the user's present session; absent or empty when the user is not present.",
  ),
  OptionalPsuUserAgent: header(
    'PSU-User-Agent',
    false,
    { type: 'string' },
    "The User-Agent of the user's browser; absent or empty when the user is not present.",
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    false,
    PRINTABLE_KEY,
    'Printable ASCII. Makes retries safe: the same key with the same request returns the stored response, for 30 days.',
  ),
  Prefer: header(
    'Prefer',
    false,
    { type: 'string', examples: ['errors=detailed'] },
    'Preferences (RFC 7240). `errors=detailed` adds to errors the code, the rule, the URL of the documentation and the id ' +
      'of a payment or payroll with an unknown outcome. `handling=strict` rejects fields and query parameters that the ' +
      'operation does not know, as validation errors with the rule `additionalProperties`; without it they are ignored ' +
      'and listed in `Havn-Warnings`.',
  ),
} as const satisfies JsonObject

/** The parameters of an operation, with values of its first example. */
export function writeParameters(entry: Operation, example: object, components: Components): readonly Json[] {
  return [
    ...located('path', entry.params, exampleOf(example, 'params'), components),
    ...located('query', entry.query, exampleOf(example, 'query'), components),
    ...headersOf(entry).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

/**
 * The headers of an operation, by the name of their component. `Prefer` is the last, since clients in Java and PHP have
 * parameters by position. A form has it not: its fields come after all headers there, and OAuth ignores unknown ones.
 */
export function headersOf({
  admits,
  psu,
  idempotent,
  bodyType,
}: Operation): readonly (keyof typeof headerParameters)[] {
  return [
    ...(admits === 'consent' ? (['ConsentId'] as const) : []),
    ...(psu === 'required' ? (['PsuIpAddress', 'PsuUserAgent'] as const) : []),
    ...(psu === 'optional' ? (['OptionalPsuIpAddress', 'OptionalPsuUserAgent'] as const) : []),
    ...(idempotent ? (['IdempotencyKey'] as const) : []),
    ...(bodyType === 'form' ? [] : (['Prefer'] as const)),
  ]
}

function located(
  place: 'path' | 'query',
  schema: Operation['params'],
  example: Readonly<Record<string, Json>>,
  components: Components,
): readonly Json[] {
  const required: readonly string[] = schema?.required ?? []
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => {
    const value = example[name]
    const written = writeSchema(member, components)
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...descriptionOf(member),
      schema: written,
      ...(value === undefined ? {} : { example: value }),
    }
  })
}

/** Also of a schema that is written as a reference. */
function descriptionOf(schema: object): JsonObject {
  return 'description' in schema && typeof schema.description === 'string' ? { description: schema.description } : {}
}

function exampleOf(example: object, part: 'params' | 'query'): Readonly<Record<string, Json>> {
  const [, values] = Object.entries(example).find(([name]) => name === part) ?? []
  return Object.fromEntries(Object.entries(values ?? {}))
}

function header<Schema extends JsonObject>(name: string, required: boolean, schema: Schema, description: string) {
  return { name, in: 'header', required, description, schema } as const
}

function addressPattern(): string {
  const octet = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
  const v4 = `(${octet}\\.){3}${octet}`
  const group = '[0-9a-fA-F]{1,4}'
  // Eight groups, of which `::` stands for one or more; the last two may be written as an IPv4 address.
  const v6 = [
    `(${group}:){7}(${group}|:)`,
    `(${group}:){6}(${v4}|:${group}|:)`,
    ...[5, 4, 3, 2, 1].map(
      (before) => `(${group}:){${before}}((:${group}){0,${5 - before}}:${v4}|(:${group}){1,${7 - before}}|:)`,
    ),
    `:((:${group}){0,5}:${v4}|(:${group}){1,7}|:)`,
  ]
  return `^(${[v4, ...v6].join('|')})$`
}
