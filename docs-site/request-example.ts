/** Renders the examples of an operation as curl commands and TypeScript SDK calls. */
import { consentId } from '../contract/examples/demo-fixture.ts'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import type { Operation } from '../contract/operation.ts'

/** An example request with its response. */
export type RequestExample = {
  readonly summary: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly answer: unknown
}

/** The user's session in the examples; the IP address is reserved for documentation (RFC 5737). */
const PSU = { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' }
const IDEMPOTENCY_KEY = '0c5f8a52-7f3e-4f0e-9a51-6f0b1d2c9e77'
const LINE_CHARACTERS_MAX = 60

/** The examples of an operation. */
export function examplesOf({ id }: Operation): readonly RequestExample[] {
  const found = Object.entries(examplesByOperation).find(([operationId]) => operationId === id)?.[1] ?? []
  return found.map((example: object) => ({
    summary: String(memberOf(example, 'summary')),
    params: Object(memberOf(example, 'params')),
    query: Object(memberOf(example, 'query')),
    body: memberOf(example, 'body'),
    answer: memberOf(example, 'answer'),
  }))
}

/** The curl command; `$HAVN` is the base URL, `$TOKEN` the access token. */
export function renderCurl(operation: Operation, example: RequestExample): string {
  const query = new URLSearchParams(Object.entries(example.query).map(([name, value]) => [name, String(value)]))
  const url = `"$HAVN${pathOf(operation, example)}${query.size === 0 ? '' : `?${query}`}"`
  // curl's default: POST with a body, GET without.
  const defaultMethod = example.body === undefined ? 'GET' : 'POST'
  const method = operation.method === defaultMethod ? '' : `-X ${operation.method} `
  return [`curl ${method}${url}`, ...headersOf(operation).map(({ name, value }) => `-H "${name}: ${value}"`)]
    .concat(bodyOf(operation, example))
    .join(' \\\n  ')
}

/** The same call with the SDK, which requests tokens by itself. */
export function renderSdkCall(operation: Operation, example: RequestExample): string {
  const given = {
    ...(operation.admits === 'consent' ? { consentId } : {}),
    ...(operation.psu === 'required' ? { psu: PSU } : {}),
    ...(operation.idempotent && operation.id.startsWith('initiate') ? { idempotencyKey: IDEMPOTENCY_KEY } : {}),
    ...(Object.keys(example.params).length > 0 ? { params: example.params } : {}),
    ...(Object.keys(example.query).length > 0 ? { query: example.query } : {}),
    ...(example.body === undefined ? {} : { body: example.body }),
  }
  const input = Object.keys(given).length === 0 ? '' : literal(given, '')
  const result = operation.answer.schema === null ? '' : 'const answer = '
  return `${result}await havn.${operation.id}(${input})`
}

function headersOf({ admits, psu, idempotent, id }: Operation): readonly { name: string; value: string }[] {
  return [
    ...(admits === 'anyone' ? [] : [{ name: 'Authorization', value: 'Bearer $TOKEN' }]),
    ...(admits === 'consent' ? [{ name: 'consent-id', value: consentId }] : []),
    ...(psu === 'required' ? [{ name: 'PSU-IP-Address', value: PSU.ipAddress }] : []),
    ...(psu === 'required' ? [{ name: 'PSU-User-Agent', value: PSU.userAgent }] : []),
    ...(idempotent && id.startsWith('initiate') ? [{ name: 'Idempotency-Key', value: IDEMPOTENCY_KEY }] : []),
  ]
}

function pathOf({ path }: Operation, { params }: RequestExample): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function bodyOf({ bodyType }: Operation, { body }: RequestExample): readonly string[] {
  if (body === undefined) {
    return []
  }
  if (bodyType === 'form') {
    return Object.entries(Object(body)).map(([name, value]) => `-d ${shellQuoted(`${name}=${value}`)}`)
  }
  return ['-H "Content-Type: application/json"', `-d ${shellQuoted(JSON.stringify(body, null, 2))}`]
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A value as a TypeScript literal, on one line where it fits. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') {
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value)
  }
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([name, member]) =>
    isList ? literal(member, inner) : `${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: ${literal(member, inner)}`,
  )
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${parts.join(', ')}${close}`
  return line.length + indent.length <= LINE_CHARACTERS_MAX && !line.includes('\n')
    ? line
    : `${open.trim()}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${indent}${close.trim()}`
}

function memberOf(example: object, name: string): unknown {
  return Object.entries(example).find(([found]) => found === name)?.[1]
}
