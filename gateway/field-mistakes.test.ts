/** Tests that a mistake in a field of any operation gets an error that names the field, and that none hides another one. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DETAILED_ERRORS } from '../contract/errors/error-bodies.ts'
import type { Operation } from '../contract/operation.ts'
import { checkResponse } from './testing/contract/check-response.ts'
import { type FieldMistake, fieldMistakes, MISTAKE_KINDS } from './testing/contract/field-mistakes.ts'
import { type ValidRequest, writeRequest } from './testing/contract/mutated-requests.ts'
import { countSideEffects } from './testing/contract/send-raw-request.ts'
import { validRequests } from './testing/contract/valid-requests.ts'
import { type GatewayWithFx, startGatewayWithFx } from './testing/fx/fx-provider-fixture.ts'

/** How many mistakes of each kind an operation is sent; all of them in long runs. */
const MISTAKES_EACH = Number(process.env['HAVN_FIELD_MISTAKES'] ?? 1)
/** How many pairs an operation is sent; all of them in long runs. */
const PAIRS_EACH = Number(process.env['HAVN_MISSING_PAIRS'] ?? 5)
const TEST_MILLISECONDS = 300_000
/** What to do: a requirement, or an instruction. */
const ADVICE = /\b(must|required|use|remove|send|choose|at most|at least)\b/i
/** Texts of JSON Schema validators, of which ours may be one. */
const VALIDATOR_TEXTS =
  /must NOT|must match|should|instancePath|schemaPath|additional propert|Expected |\^|\\d|\[A-Z|has the wrong format/

/** Required by a rule, where the rest of the body is as in the example. */
const REQUIRED_BY_RULES: Readonly<Partial<Record<Operation['id'], readonly string[]>>> = {
  initiateCrossBorderPayment: ['.to.account.bban'],
}

let stage: GatewayWithFx
let requests: readonly ValidRequest[]
let mistakes: readonly FieldMistake[]
beforeAll(async () => {
  const settings = { HAVN_REQUESTS_PER_SECOND: '100000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }
  stage = await startGatewayWithFx({ settings })
  requests = await validRequests(stage.gateway)
  const byOperation = Map.groupBy(requests, ({ operation }) => operation.id)
  mistakes = [...byOperation.values()].flatMap((alike) => chosen(alike.flatMap((each) => [...fieldMistakes(each)])))
})
afterAll(() => stage.close())

/** Of each kind the last ones, which are deep in the body. */
function chosen(all: readonly FieldMistake[]): readonly FieldMistake[] {
  return MISTAKE_KINDS.flatMap((kind) => all.filter((each) => each.kind === kind).slice(-MISTAKES_EACH))
}

type Detail = { readonly code?: string; readonly path?: string; readonly message?: string; readonly rule?: string }

test('a mistake in a field is answered with its code, its path and what to do, and nothing is stored', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const before = await storedRows()
  const faults: string[] = []
  for (const mistake of mistakes) {
    faults.push(...(await faultsIn(mistake)))
  }
  expect(faults).toEqual([])
  expect(new Set(mistakes.map(({ kind }) => kind))).toEqual(new Set(MISTAKE_KINDS))
  expect(await storedRows()).toEqual(before)
})

/** Without calls to the bank, which may be polls of what was stored before. */
async function storedRows(): Promise<object> {
  const { bankCalls: _polls, ...rows } = await countSideEffects(stage.gateway)
  return rows
}

async function faultsIn(mistake: FieldMistake): Promise<readonly string[]> {
  const { kind, request, path } = mistake
  const { method, path: url, headers, body } = writeRequest(request)
  const sent = body === undefined ? {} : { body: new Uint8Array(body) }
  const asking = { prefer: DETAILED_ERRORS, ...headers }
  const response = await fetch(`${stage.gateway.url}${url}`, { method, headers: asking, ...sent })
  const { status, headers: answered } = response
  const text = await response.text()
  const faults =
    status < 400 || status >= 500
      ? ['it is not rejected']
      : [
          ...checkResponse({ method, path: url.split('?')[0] ?? '', status, headers: answered, text }),
          ...faultsOfErrors(mistake, JSON.parse(text)),
        ]
  return faults.map((fault) => `${request.operation.id} ${kind} ${path}: ${fault}: ${status} ${text.slice(0, 400)}`)
}

function faultsOfErrors({ kind, path, named }: FieldMistake, body: unknown): readonly string[] {
  const errors: readonly Detail[] = Array.isArray(body) ? body : (Object(body).errors ?? [])
  const [own] = errors.filter((error) => error.path === path)
  if (own === undefined) {
    return ['no error has its path']
  }
  const { code = '', message = '', rule = '' } = own
  return [
    ...(code === '' ? ['it has no code'] : []),
    ...(message.includes(named) ? [] : [`the message does not name ${named}`]),
    ...(ADVICE.test(message) ? [] : ['the message does not say what to do']),
    ...(errors.some((error) => VALIDATOR_TEXTS.test(error.message ?? '')) ? ['a text of a validator'] : []),
    ...(kind === 'name' && rule !== 'additionalProperties' ? [`its rule is ${rule}`] : []),
  ]
}

type Names = readonly string[]

/** The fields that the schema requires of this value, with the tags of its unions. */
function requiredFields(schema: object, value: unknown, at: Names = []): readonly Names[] {
  const { properties = {}, required = [], items, oneOf, discriminator } = Object(schema)
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : requiredFields(Object(items), value[0], [...at, '0'])
  }
  if (typeof value !== 'object' || value === null) {
    return []
  }
  if (Array.isArray(oneOf)) {
    const tag = discriminator.propertyName
    const branch = oneOf.find((each) => each.properties[tag].const === Reflect.get(value, tag))
    return requiredFields(Object(branch), value, at)
  }
  const here = required.filter((name: string) => Object.hasOwn(value, name)).map((name: string) => [...at, name])
  const below = Object.entries(properties).flatMap(([name, member]) =>
    requiredFields(Object(member), Reflect.get(value, name), [...at, name]),
  )
  return [...here, ...below]
}

const pathOf = (names: Names) => names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('')

function isGiven(body: unknown, names: Names): boolean {
  return names.reduce<unknown>((value, name) => Reflect.get(Object(value), name), body) !== undefined
}

function without(body: unknown, names: Names): unknown {
  const copy = structuredClone(body)
  const parent = names.slice(0, -1).reduce<unknown>((value, name) => Reflect.get(Object(value), name), copy)
  Reflect.deleteProperty(Object(parent), names.at(-1) ?? '')
  return copy
}

/** Neither contains the other one. */
function pairsOf({ operation, body }: ValidRequest): readonly (readonly [Names, Names])[] {
  const byRules = (REQUIRED_BY_RULES[operation.id] ?? []).map((path) => path.split('.').slice(1))
  const all = [...requiredFields(operation.body ?? {}, body), ...byRules.filter((names) => isGiven(body, names))]
  const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const))
  return pairs.filter(
    ([one, other]) => !pathOf(one).startsWith(pathOf(other)) && !pathOf(other).startsWith(pathOf(one)),
  )
}

async function reportedPaths({
  operation,
  ...parts
}: ValidRequest): Promise<{ status: number; paths: readonly string[] }> {
  const headers = { ...parts.headers, prefer: 'errors=detailed' }
  const { method, path, headers: sent, body } = writeRequest({ operation, ...parts, headers })
  const response = await fetch(`${stage.gateway.url}${path}`, {
    method,
    headers: sent,
    body: new Uint8Array(body ?? []),
  })
  const answer: unknown = await response.json()
  const errors: readonly { path: string }[] = Array.isArray(answer) ? answer : (Object(answer).errors ?? [])
  return { status: response.status, paths: errors.map((error) => error.path) }
}

test('of two missing fields both are reported', { timeout: TEST_MILLISECONDS }, async () => {
  const faults: string[] = []
  let count = 0
  for (const request of requests.filter(({ operation }) => operation.bodyType !== 'form')) {
    const pairs = pairsOf(request)
    const [some = []] = fc.sample(fc.shuffledSubarray([...pairs], { minLength: pairs.length }), 1)
    for (const pair of some.slice(0, PAIRS_EACH)) {
      const body = pair.reduce<unknown>(without, request.body)
      const { status, paths } = await reportedPaths({ ...request, body })
      const hidden = pair.map(pathOf).filter((path) => !paths.includes(path))
      count += 1
      if (hidden.length > 0) {
        faults.push(`${request.operation.id} without ${pair.map(pathOf).join(' and ')}: ${status} ${paths.join(' ')}`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(70)
})
