/** Tests that any request to an operation gets a response that the contract documents, and leaves nothing behind. */
import { Agent, request as httpRequest } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkResponse } from './testing/contract/check-response.ts'
import { mutatedRequests, type RawRequest, writeRequest } from './testing/contract/mutated-requests.ts'
import { validRequests } from './testing/contract/valid-requests.ts'
import { type GatewayWithFx, startGatewayWithFx } from './testing/fx/fx-provider-fixture.ts'
import { domesticPayment } from './testing/payments/sample-payments.ts'

/** `HAVN_FUZZED_REQUESTS=500000 npm run vitest gateway/request-fuzzing.test.ts` is the long form. */
const REQUESTS = Number(process.env['HAVN_FUZZED_REQUESTS'] ?? 150)
const AT_ONCE = 10
const TEST_MILLISECONDS = 300_000 + REQUESTS * 100
/** What no response may contain: parts of programs, statements, credentials. */
const INTERNALS = /\bat .*\.ts:|node_modules|FST_|PostgreSQL|invalid byte sequence|demo-partner-secret/

let stage: GatewayWithFx
let valid: Awaited<ReturnType<typeof validRequests>>
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
beforeAll(async () => {
  const settings = { HAVN_REQUESTS_PER_SECOND: '100000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }
  stage = await startGatewayWithFx({ settings })
  valid = await validRequests(stage.gateway)
})
afterAll(async () => {
  agent.destroy()
  await stage.close()
})

test('a request of any operation, changed in any way, gets a documented response', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  for (const request of valid.map((each) => writeRequest(each)).filter((each) => !movesClock(each))) {
    expect(await faultsIn(request)).toEqual([])
  }
  const batches = fc.array(
    mutatedRequests(valid).filter((request) => !movesClock(request)),
    { minLength: AT_ONCE, maxLength: AT_ONCE },
  )
  await fc.assert(
    fc.asyncProperty(batches, async (requests) => {
      expect((await Promise.all(requests.map(faultsIn))).flat()).toEqual([])
      if (requests.some(({ operationId }) => operationId.startsWith('disturb'))) {
        await stage.gateway.client.healSandboxBanks()
      }
    }),
    // Earlier requests are part of a failure, so that a smaller one need not fail.
    { numRuns: Math.ceil(REQUESTS / AT_ONCE), endOnFailure: true },
  )
  await requireUntouched()
})

/** The gateway serves valid requests as before, holds no connection of its pool, and has logged no credentials. */
async function requireUntouched(): Promise<void> {
  const { gateway } = stage
  expect((await gateway.fetch('/readyz')).status).toBe(200)
  const { headers } = valid.find(({ operation }) => operation.id === 'initiateDomesticPayment') ?? { headers: {} }
  const body = JSON.stringify(domesticPayment(gateway))
  const sent = { ...Object(headers), 'content-type': 'application/json' }
  expect((await gateway.fetch('/api/v2/payments', { method: 'POST', headers: sent, body })).status).toBe(200)
  const { pool } = gateway.context.database
  await expect.poll(() => pool.totalCount - pool.idleCount + pool.waitingCount).toBe(0)
  const token = String(Object(headers).authorization).replace('Bearer ', '')
  const leaked = gateway.logLines().filter((line) => line.includes('demo-partner-secret') || line.includes(token))
  expect(leaked).toEqual([])
}

/** A valid move of the clock takes as long as what becomes due, and changes on which days orders are valid. */
function movesClock({ operationId, body }: RawRequest): boolean {
  const { set, advance, reset } = Object(operationId === 'moveSandboxClock' ? parsed(String(body)) : {})
  return reset === true || [set, advance].some((text) => typeof text === 'string' && /^[+-]?[P\d]/.test(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Answer = { readonly status: number; readonly headers: NodeJS.Dict<string | string[]>; readonly bytes: Buffer }

function sent({ method, path, headers, body }: RawRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(stage.gateway.url)
    const length = body === undefined ? {} : { 'content-length': body.length }
    const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } }
    const request = httpRequest(options, async (response) => {
      try {
        const bytes = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes })
      } catch (error) {
        reject(error)
      }
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** The violations in the response to a request, with the request itself. */
async function faultsIn(request: RawRequest): Promise<readonly string[]> {
  const { operationId, method, path, body } = request
  const { status, headers, bytes } = await sent(request)
  const text = bytes.toString()
  const contentType = String(headers['content-type'])
  const given = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
  const answer = { method, path: path.split('?')[0] ?? '', status, headers: new Headers(given), text }
  const reported = contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text
  const faults = [
    ...(status === 500 ? [`${operationId} answered 500`] : []),
    ...(Buffer.from(text).equals(bytes) ? [] : ['The answer is not in UTF-8']),
    ...(isWellFormed(reported) ? [] : ['The answer holds a lone surrogate']),
    ...(INTERNALS.test(text) ? [`The answer holds internals: ${text}`] : []),
    ...checkResponse(answer),
  ]
  return faults
    .filter((fault) => !quotesRequest(fault, request))
    .map((fault) => `${fault} – to ${method} ${path} ${body?.toString() ?? ''}`)
}

/** Texts in a request that the check of messages would mistake for raw output of a validator. */
const LOOKS_RAW = /\[object |NaN|undefined|[.\\/^]/

/** A message may quote what was sent: a timestamp in another form, a part of the path, or the name of an unknown field. */
function quotesRequest(fault: string, { path, body }: RawRequest): boolean {
  const [, timestamp] = /the timestamp (\S+) is not in UTC/.exec(fault) ?? []
  const parts = fault.includes('raw output of a validator') ? path.split(/[/?&=]/).map(decoded) : []
  return (
    parts.some((part) => LOOKS_RAW.test(part) && fault.includes(part)) ||
    (timestamp !== undefined && `${decoded(path)} ${body?.toString()}`.includes(timestamp))
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isWellFormed(value: unknown): boolean {
  return typeof value === 'string'
    ? value.isWellFormed()
    : typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWellFormed)
}
