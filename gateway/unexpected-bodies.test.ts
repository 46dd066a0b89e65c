/** Tests that operations without a body answer as documented to requests that have one. */
import { request as send } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkResponse } from './testing/contract/check-response.ts'
import { type ValidRequest, writeRequest } from './testing/contract/mutated-requests.ts'
import { validRequests } from './testing/contract/valid-requests.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
/** A body that the server does not reject: that of a GET, which it does not read, and any JSON. */
const ACCEPTED = null
const BODY_ERRORS = [400, 413, 415, 422]

let gateway: TestGateway
let requests: readonly ValidRequest[]
beforeAll(async () => {
  const settings = { HAVN_REQUESTS_PER_SECOND: '100000', HAVN_TOKEN_REQUESTS_PER_MINUTE: '100000' }
  gateway = await startTestGateway({ settings })
  requests = (await validRequests(gateway)).filter(({ operation }) => operation.body === undefined)
})
afterAll(() => gateway.close())

test.each<[what: string, sent: Readonly<Record<string, string>>, body: string, rejectedWith: number | null]>([
  ['of another media type', { 'content-type': 'text/plain' }, 'hello', 415],
  ['of an invalid media type', { 'content-type': '//' }, 'hello', 415],
  ['that is compressed', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}', 415],
  ['that is not JSON', JSON_TYPE, '{"a":', 400],
  ['that is nested too deep', JSON_TYPE, '['.repeat(100) + ']'.repeat(100), 400],
  ['of 300 kB', JSON_TYPE, JSON.stringify('x'.repeat(300_000)), 413],
  ['that is a JSON object', JSON_TYPE, '{"a":1}', ACCEPTED],
])('a body %s where none is expected gets a documented response', async (_what, sent, body, rejectedWith) => {
  const faults: string[] = []
  // Before an operation runs, those of GET differ in nothing: each gets one of the bodies, and the first one all.
  const [first, ...others] = requests.filter(({ operation }) => operation.method === 'GET')
  const withoutGet = requests.filter(({ operation }) => operation.method !== 'GET')
  for (const request of [...withoutGet, first ?? expect.fail(), ...(rejectedWith === ACCEPTED ? others : [])]) {
    const { method, path, headers } = writeRequest(request)
    const answer = await send(`${gateway.url}${path}`, { method, headers: { ...headers, ...sent }, body })
    const { statusCode: status } = answer
    const text = await answer.body.text()
    const answered = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    const expected = method === 'GET' ? ACCEPTED : rejectedWith
    const isExpected = expected === ACCEPTED ? !BODY_ERRORS.includes(status) : status === expected
    faults.push(
      ...checkResponse({ method, path: path.split('?')[0] ?? '', status, headers: new Headers(answered), text }),
      ...(isExpected ? [] : [`${request.operation.id} answered ${status}`]),
    )
  }
  expect(faults).toEqual([])
})
