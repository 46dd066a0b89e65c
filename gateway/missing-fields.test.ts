/** Tests that every missing field is reported, whatever else is missing: no error hides another one. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../contract/operation.ts'
import type { ValidRequest } from './testing/contract/mutated-requests.ts'
import { writeRequest } from './testing/contract/mutated-requests.ts'
import { validRequests } from './testing/contract/valid-requests.ts'
import { type GatewayWithFx, startGatewayWithFx } from './testing/fx/fx-provider-fixture.ts'

/** How many pairs an operation is sent; all of them in long runs. */
const PAIRS_EACH = Number(process.env['HAVN_MISSING_PAIRS'] ?? 12)
const TEST_MILLISECONDS = 180_000

/** Required by a rule, where the rest of the body is as in the example. */
const REQUIRED_BY_RULES: Readonly<Partial<Record<Operation['id'], readonly string[]>>> = {
  initiateCrossBorderPayment: ['.to.account.bban'],
}

let stage: GatewayWithFx
let requests: readonly ValidRequest[]
beforeAll(async () => {
  const settings = { HAVN_REQUESTS_PER_SECOND: '100000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }
  stage = await startGatewayWithFx({ settings })
  requests = (await validRequests(stage.gateway)).filter(({ operation }) => operation.bodyType !== 'form')
})
afterAll(() => stage.close())

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
  for (const request of requests) {
    const pairs = pairsOf(request)
    const [chosen = []] = fc.sample(fc.shuffledSubarray([...pairs], { minLength: pairs.length }), 1)
    for (const pair of chosen.slice(0, PAIRS_EACH)) {
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
  expect(count).toBeGreaterThan(100)
})
