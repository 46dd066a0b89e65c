/** Generates mutated requests: a valid example of an operation with one to three changes. */
import * as fc from 'fast-check'
import type { Operation } from '../../../contract/operation.ts'
import { anyCharacter } from '../any-character.ts'

/** A request before serialisation. */
export type RequestParts = {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly body: unknown
}
type Members = Readonly<Record<string, unknown>>

export type ValidRequest = RequestParts & { readonly operation: Operation }

/** A serialised request. */
export type RawRequest = {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Objects that cannot be converted to a string, or imitate other types. */
const MISLEADING: readonly unknown[] = [
  { toString: 1 },
  { toString: null, valueOf: null },
  { length: 3 },
  { constructor: {} },
]
const LONG = 'x'.repeat(5_000)
const DEEP = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)

const texts = fc.oneof(
  { arbitrary: fc.constantFrom('\0', 'a\0b', '\ud800', 'x\udfffy'), weight: 5 },
  fc.constantFrom('', ' ', '\u202e', '\u{1f642}', 'e\u0301', '\\', '"', '%', LONG),
  fc.constantFrom('9999-12-31', '9999-12-30', '0000-01-01', '0001-01-01', '-271821-04-20', '2026-02-30', '2026-11-23'),
  fc.constantFrom('9999-12-31T23:59:59.999999999Z', '2026-11-23T25:00Z', '0001-01-01T00:00+14:00', 'P9999Y', 'PT0.5S'),
  fc.constantFrom('0', '-1', '1.5', '1e400', '999999999999.9999', '1234567890123456789', 'NaN', 'null', 'true'),
  fc.constantFrom('__proto__', 'constructor', 'toString', '[object Object]', "' or 1=1--", '<b>', 'a,b', '..'),
  fc.constantFrom('http://[::1', 'https://a:0/', 'https://127.0.0.1:9/', 'javascript:0', 'myerp://back', 'https://\0/'),
  fc.constantFrom(
    'NO',
    'SE',
    'NOK',
    'USD',
    'JPY',
    'FJORNO22',
    'NO9386011117947',
    '01a207a2-0000-7000-8000-000000000000',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 }).map((units) => String.fromCharCode(...units)),
)
const values = fc.oneof(
  { arbitrary: texts, weight: 4 },
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 1e308, 9_007_199_254_740_992, 1e-7),
  fc.constantFrom<unknown>([], {}, [null], [[]], [{}], { a: 1 }, DEEP, Array(150).fill('x'), Array(150).fill({})),
  fc.constantFrom<unknown>(...MISLEADING, JSON.parse('{"__proto__":{"a":1}}')),
)

/** Mutations of the value at a path. */
type Change = (part: unknown) => unknown
const REMOVED = Symbol('removed')

const changes: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: values.map((value) => () => value), weight: 6 },
  { arbitrary: texts.map((text) => (part: unknown) => (typeof part === 'string' ? part + text : text)), weight: 2 },
  fc.constant(() => REMOVED),
  fc.constant((part: unknown) => [part]),
  fc.constant((part: unknown) => [part, part]),
  fc.constant((part: unknown) => ({ value: part })),
  fc.constant((part: unknown) =>
    Array.isArray(part) ? [...part, ...part] : typeof part === 'string' ? Number(part) : 0,
  ),
  fc.tuple(texts, values).map(
    ([name, value]) =>
      (part: unknown) =>
        isObject(part) ? { ...part, ...memberOf(name, value) } : value,
  ),
)

/** Mutations of the bytes of a body. */
const byteChanges: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))),
  fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 3 })).map(
    ([at, put]) =>
      (bytes: Buffer) =>
        inserted(bytes, at, put),
  ),
  fc.constantFrom('', 'null', '1', '"a"', '[]', 'true', '\ufeff{}').map((text) => () => Buffer.from(text)),
  // Every field name is escaped.
  fc.constant((bytes: Buffer) =>
    Buffer.from(
      bytes.toString().replace(/"(\w)(\w*)":/g, (_, first: string, rest: string) => `"${escaped(first)}${rest}":`),
    ),
  ),
)

/** A part of a path or query that is sent without encoding. */
const rawParts = fc.constantFrom(
  '%00',
  '%',
  '%zz',
  '%ED%A0%80',
  '%C0%80',
  '../..',
  '%2e%2e',
  '%2F',
  '+',
  'a&a=b',
  '[]',
  '',
)

export function mutatedRequests(valid: readonly [ValidRequest, ...ValidRequest[]]): fc.Arbitrary<RawRequest> {
  const change = fc.record({ place: fc.nat(), change: changes })
  const one = fc.tuple(change)
  const few = fc.array(change, { maxLength: 3 })
  return fc
    .record({
      request: fc.oneof(
        ...valid.map((one) => ({ arbitrary: fc.constant(one), weight: 2 + placesIn(one.body).length })),
      ),
      changes: fc.oneof({ arbitrary: one, weight: 5 }, { arbitrary: few, weight: 2 }),
      changeBytes: rarely(byteChanges),
      rawPart: rarely(fc.record({ place: fc.nat(), text: rawParts })),
      key: rarely(fc.constantFrom('one', 'other')),
    })
    .map(({ request, changes: all, changeBytes, rawPart, key }) => {
      const headers = { ...request.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) }
      const requested: RequestParts = { ...request, headers }
      const changed = all.reduce((parts, { place, change }) => changedAt(parts, place, change), requested)
      const raw = writeRequest({ ...changed, operation: request.operation }, rawPart)
      return changeBytes === undefined || raw.body === undefined ? raw : { ...raw, body: changeBytes(raw.body) }
    })
}

/** Most requests have none. */
function rarely<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 14 }, { arbitrary: values, weight: 1 })
}

/** Headers are mutated rarely: most mutations make the request fail before the rest is read. */
const HEADERS_SHARE = 12

function changedAt(request: RequestParts, place: number, change: Change): RequestParts {
  const { params, query, headers, body } = request
  const content = { params, query, ...(body === undefined ? {} : { body }) }
  const [parts, spot] = [place % HEADERS_SHARE === 0 ? { headers } : content, Math.floor(place / HEADERS_SHARE)]
  const places = placesIn(parts).filter((path) => path.length > 1 || path[0] === 'body')
  const path = places[spot % places.length]
  return path === undefined ? request : { ...request, ...Object(replaced(parts, path, change)) }
}

function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const below = isObject(value) || Array.isArray(value) ? Object.entries(value) : []
  return [...(path.length === 0 ? [] : [path]), ...below.flatMap(([name, part]) => placesIn(part, [...path, name]))]
}

function replaced(value: unknown, [name, ...rest]: readonly string[], change: Change): unknown {
  if (name === undefined) {
    return change(value)
  }
  if (Array.isArray(value)) {
    return value
      .map((element, index) => (String(index) === name ? replaced(element, rest, change) : element))
      .filter((element) => element !== REMOVED)
  }
  const members = Object.entries(Object(value)).map(([key, part]) => [
    key,
    key === name ? replaced(part, rest, change) : part,
  ])
  return Object.fromEntries(members.filter(([, part]) => part !== REMOVED))
}

/** Serialises a request; `rawPart` is inserted unencoded in its path or query. */
export function writeRequest(
  { operation, params, query, headers, body }: ValidRequest,
  rawPart?: { readonly place: number; readonly text: string },
): RawRequest {
  let parts = 0
  const total = Object.keys(params).length + Object.keys(query).length
  const written = (value: unknown) =>
    rawPart !== undefined && rawPart.place % total === parts++ ? rawPart.text : percentEncoded(textOf(value))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => written(Object(params)[name]))
  const pairs = Object.entries(query).map(([name, value]) => `${percentEncoded(name)}=${written(value)}`)
  const isForm = operation.bodyType === 'form'
  const sent = isForm && isObject(body) ? formOf(body) : JSON.stringify(body)
  const type = operation.body === undefined ? {} : { 'content-type': isForm ? FORM : 'application/json' }
  return {
    operationId: operation.id,
    method: operation.method,
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    headers: Object.fromEntries(
      Object.entries({ ...type, ...headers }).flatMap(([name, value]) =>
        /^[\w-]+$/.test(name) ? [[name, textOf(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]] : [],
      ),
    ),
    body: sent === undefined || operation.body === undefined ? undefined : Buffer.from(sent),
  }
}

const FORM = 'application/x-www-form-urlencoded'

function formOf(body: object): string {
  return Object.entries(body)
    .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(textOf(value))}`)
    .join('&')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Like `encodeURIComponent`, which throws for lone surrogates: these are encoded as any other code unit. */
function percentEncoded(text: string): string {
  return [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('')
}

function inserted(bytes: Buffer, at: number, put: Uint8Array): Buffer {
  const place = at % (bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place)])
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function memberOf(name: string, value: unknown): object {
  return JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
