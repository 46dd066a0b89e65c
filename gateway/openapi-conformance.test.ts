/** Tests that the OpenAPI document is exact: it excludes all invalid values that a schema can exclude. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../contract/openapi/openapi-document.ts'
import { type ValidRequest, writeRequest } from './testing/contract/mutated-requests.ts'
import { excludedBy, membersOf, permittedBy, type Schema, withoutReferences } from './testing/contract/schema-values.ts'
import { validRequests } from './testing/contract/valid-requests.ts'
import { type GatewayWithFx, startGatewayWithFx } from './testing/fx/fx-provider-fixture.ts'

/** How many excluded values are tried for each field, and how many permitted ones; in long runs at all its places. */
const VALUES_EACH = Number(process.env['HAVN_OPENAPI_VALUES'] ?? 1)
/** Which rules a permitted value violates depends on it and on the requests before it: they are the same in each run. */
const PERMITTED_SEED = 1
const TEST_MILLISECONDS = 300_000

/** Reasons of rejections that depend on more than the value: on the bank, the company, the day, or lists of codes. */
const RULES: readonly RegExp[] = [
  // Codes of external lists: countries, currencies, banks; which of them are served.
  /not an ISO 3166-1 country|must be one of NO, SE, DK, FI|is not served here|only serves companies of|payments to this country are not/,
  /not an ISO 4217 currency|is not a currency|cannot be funded in|is not exchanged|not paid for in|paid in: |in other currencies|the currency of every transaction|neither that of the sender/,
  /Unknown BIC|There is no bank |is not FJORNO22|bic is of SL|the country of the BIC|is not a code of NO/,
  // Numbers with check digits, in the form of their country.
  /organisation number is not|is not the company|account number|not an IBAN|bban is not|is not a BIC|clearing code|Fødselsnummer|is not a KID/,
  /post code of/,
  // What the country of the beneficiary requires, and what names an account. An empty text is none, which is permitted
  // wherever the field is not required.
  /clearingCode is missing: payments to|additionalInformation contains no .*, which payments to|account is missing, and so is an IBAN/,
  // Decimal places of the currency, and limits of the bank and of an exchange.
  /is no amount in [A-Z]{3}|[A-Z]{3} has \d decimals|more decimals than [A-Z]{3}, which has \d|is above .*, the limit of|exceeds the limit of one exchange|too large for the FX provider|outside the limits of the FX provider/,
  // Characters and lengths that the bank accepts.
  /contains ".*" \(U\+.* (the bank|payments abroad) do(es)? not accept|has \d+ characters; (banks|payments with exchange) accept at most \d+/,
  // Registered origins; hosts and schemes of deliveries.
  /is registered for you|must be a URI|must not contain (credentials|control characters)|targetUrl is not allowed/,
  // Other fields of the request, today's date, and the calendar.
  /of the calendar|is not a valid date|must be a valid date or time|is not a time|is no day|is in the past|the last due date that|on both sides are open|must not be after toDate|is before fromDate|must be after since|months after fromDate|must be from \d|not a bank day|above zero|more than zero|iban is missing|requires the status/,
  // What was created before, what earlier requests did with it, and the permissions.
  /send nextCursor unchanged|is not one of your quotes|has no right to pay|send the token alone/,
  /cannot be signed: it is|bank has no user with this id|lasts until it is cleared/,
  // RFC 6749 has error codes of its own for these.
  /grant_type must be|The scope must be/,
]

type Place = {
  readonly name: string
  readonly in: 'body' | 'path' | 'query' | 'header'
  readonly schema: Schema
  readonly path: readonly string[]
}

let stage: GatewayWithFx
let valid: readonly ValidRequest[]
const document = withoutReferences(openApiDocument(), openApiDocument())
beforeAll(async () => {
  const settings = { HAVN_REQUESTS_PER_SECOND: '100000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }
  stage = await startGatewayWithFx({ settings })
  // One for each operation; the clock is not moved.
  const requests = new Map((await validRequests(stage.gateway)).map((request) => [request.operation.id, request]))
  valid = [...requests.values()].filter(({ operation }) => operation.id !== 'moveSandboxClock')
})
afterAll(() => stage.close())

test('what the document excludes is rejected', { timeout: TEST_MILLISECONDS }, async () => {
  const accepted: string[] = []
  for (const [request, place] of chosenPlaces()) {
    const values = excludedBy(place.schema, place.in)
    const [some = []] = fc.sample(
      fc.shuffledSubarray([...values], { maxLength: Math.min(VALUES_EACH, values.length) }),
      1,
    )
    for (const value of some) {
      const { status, text } = await responseTo(request, place, value)
      accepted.push(...(status >= 400 && status < 500 ? [] : [described(request, place, value, status, text)]))
    }
  }
  expect(accepted).toEqual([])
})

test('what the document permits is rejected by rules that no schema states alone', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const rejected: string[] = []
  for (const [request, place] of chosenPlaces(PERMITTED_SEED)) {
    const values = permittedBy(place.schema, place.in)
    for (const value of values === undefined ? [] : fc.sample(values, { numRuns: VALUES_EACH, seed: PERMITTED_SEED })) {
      const { status, text } = await responseTo(request, place, value)
      const isStated =
        status < 500 && reasonsIn(status, text).every((reason) => RULES.some((rule) => rule.test(reason)))
      rejected.push(...(isStated || status === 503 ? [] : [described(request, place, value, status, text)]))
    }
    if (request.operation.id.startsWith('disturb')) {
      await stage.gateway.client.healSandboxBanks()
    }
  }
  expect(rejected).toEqual([])
})

/** Of the fields that have one schema in several operations, one: which one, the seed decides, or that of the run. */
function chosenPlaces(seed?: number): Iterable<readonly [ValidRequest, Place]> {
  const alike = ([, { in: where, path, schema }]: readonly [ValidRequest, Place]) =>
    `${where} ${path.at(-1)} ${JSON.stringify(schema)}`
  const groups = Map.groupBy(places(), alike).values()
  const parameters = { numRuns: 1, ...(seed === undefined ? {} : { seed }) }
  return VALUES_EACH > 1 ? places() : [...groups].flatMap((group) => fc.sample(fc.constantFrom(...group), parameters))
}

function* places(): Iterable<readonly [ValidRequest, Place]> {
  for (const request of valid) {
    const { path, method } = request.operation
    const { parameters, requestBody } = Object(Object(Object(document).paths)[path])[method.toLowerCase()]
    const [content] = Object.values(Object(Object(requestBody).content))
    for (const { path: names, schema } of content === undefined
      ? []
      : membersOf(Object(content).schema, request.body)) {
      yield [request, { in: 'body', name: names.join('.'), path: names, schema }]
    }
    for (const parameter of parameters) {
      yield [request, { ...parameter, path: [parameter.name] }]
    }
  }
}

async function responseTo(
  request: ValidRequest,
  place: Place,
  value: unknown,
): Promise<{ status: number; text: string }> {
  const { method, path, headers, body } = writeRequest(withValue(request, place, value))
  const sent = body === undefined ? {} : { body: new Uint8Array(body) }
  const response = await fetch(`${stage.gateway.url}${path}`, { method, headers, ...sent })
  return { status: response.status, text: await response.text() }
}

function withValue(request: ValidRequest, { in: where, name, path }: Place, value: unknown): ValidRequest {
  const { body, params, query, headers } = request
  switch (where) {
    case 'body':
      return { ...request, body: replaced(body, path, value) }
    case 'path':
      return { ...request, params: { ...params, [name]: value } }
    case 'query':
      return { ...request, query: { ...query, [name]: value } }
    case 'header':
      return { ...request, headers: { ...headers, [name.toLowerCase()]: value } }
  }
}

function replaced(part: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) {
    return value
  }
  const inner = replaced(Reflect.get(Object(part), name), rest, value)
  return Array.isArray(part) ? part.with(Number(name), inner) : { ...Object(part), [name]: inner }
}

/**
 * The error about the content of a request; nothing where that has a code of its own, or is about an unknown resource.
 */
function reasonsIn(status: number, text: string): readonly string[] {
  if (status !== 400 && status !== 422) {
    return []
  }
  return [JSON.parse(text)]
    .flat()
    .flatMap(({ failure, reason, message, error_description: description }) =>
      failure === undefined ? [String(reason ?? message ?? description)] : [],
    )
}

function described({ operation }: ValidRequest, place: Place, value: unknown, ...answered: readonly unknown[]): string {
  return `${operation.id} ${place.in} ${place.name} = ${JSON.stringify(value)?.slice(0, 100)}: ${answered.join(' ').slice(0, 300)}`
}
