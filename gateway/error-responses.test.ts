/** Tests that a response to any URL has a request id and attributes the error correctly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNKNOWN_ID } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/
const INNARDS = /\bat .*\.ts|node_modules|FST_|PostgreSQL|syntax for type/
const SIGNING = `/signing/${UNKNOWN_ID}/${UNKNOWN_ID}`
const HINT = `/hints/payments/${UNKNOWN_ID}/${UNKNOWN_ID}`
const FORM = 'application/x-www-form-urlencoded'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const faults = () => gateway.logLines().filter((line) => /"level":(50|60)/.test(line))

async function ask(method: string, path: string, body?: string, type = FORM) {
  const sent = body === undefined ? {} : { body, headers: { 'content-type': type } }
  const response = await gateway.fetch(path, { method, redirect: 'manual', ...sent })
  expect(response.headers.get('svc-request-id')).toMatch(UUID)
  const text = await response.text()
  expect(text).not.toMatch(INNARDS)
  expect(faults()).toEqual([])
  return { status: response.status, type: response.headers.get('content-type') ?? '', text }
}

describe('a URL that needs no token', () => {
  test.each([
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/assets/docs.css',
    '/assets/havn.css',
    '/.well-known/jwks.json',
    '/.well-known/openid-configuration',
  ])('%s responds with a request id', async (path) => {
    expect((await ask('GET', path)).status).toBe(200)
  })
})

test('/openapi.json has the URL that it is served from', async () => {
  const { text } = await ask('GET', '/openapi.json')
  expect(JSON.parse(text).servers).toEqual([{ url: gateway.config.baseUrl, description: 'The API.' }])
})

describe('a page', () => {
  test.each([`${SIGNING}/token`, `${SIGNING}/%00`, '/signing/a/b/c', `${SIGNING}/return/token`])(
    'at %s, which does not exist, says so: 404',
    async (path) => {
      expect(await ask('GET', path)).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
    },
  )

  test.each([`${SIGNING}/token`, '/signing/a/b/c', `${SIGNING}/token/leave`, `${SIGNING}/return/token/next`])(
    'a form sent to %s, which does not exist, gets a page: 404',
    async (path) => {
      expect(await ask('POST', path, 'a=b')).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
    },
  )

  test.each([
    ['broken JSON', '{', 'application/json', 400],
    ['another media type', '<a/>', 'text/xml', 415],
    ['a body over the limit', `a=${'x'.repeat(300_000)}`, FORM, 413],
  ])(
    'for a request with %s is an error of the sender: a page, and no error of ours in the log',
    async (_what, body, type, status) => {
      const answer = await ask('POST', `${SIGNING}/token`, body, type)
      expect(answer.status).toBe(status)
      expect(answer.type).toBe('text/html; charset=utf-8')
    },
  )
})

describe('an inbound notification', () => {
  test.each([
    ['of an unknown payment', `${HINT}/token`, '{}'],
    ['with U+0000 for a token', `${HINT}/%00`, '{}'],
    ['of an invalid id', '/hints/payments/a/b/c', '{}'],
    ['without a body', `${HINT}/token`, undefined],
    ['with null', `${HINT}/token`, 'null'],
    ['with a list', `${HINT}/token`, '[1]'],
    ['about an SCA session', `/hints/signings/${UNKNOWN_ID}/${UNKNOWN_ID}/token`, '{}'],
    ['about an SCA session with an invalid id', '/hints/signings/a/b/%00', '{}'],
  ])('%s gets 204, as every notification does', async (_what, path, body) => {
    const before = gateway.logLines().filter((line) => line.includes('a bank was called')).length
    expect(await ask('POST', path, body, 'application/json')).toMatchObject({ status: 204, text: '' })
    expect(gateway.logLines().filter((line) => line.includes('a bank was called'))).toHaveLength(before)
  })
})
