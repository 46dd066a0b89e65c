/** Tests to whom the token endpoint issues a token, for which secrets and how long, and which errors it returns. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { Token } from '../../contract/token.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { type Credentials, createPartner } from './create-partner.ts'
import { revokeClientAccess, revokePartnerAccess } from './revoke-partner-access.ts'
import { revokeFormerSecret, rotateClientSecret } from './rotate-client-secret.ts'
import { revokeTokenKey } from './token-key.ts'

const ID = 'demo-partner'
const SECRET = 'demo-partner-secret'
const FORM = {
  grant_type: 'client_credentials',
  scope: scopesByEnvironment.sandbox,
  client_id: ID,
  client_secret: SECRET,
}
const NO_CREDENTIALS = { client_id: undefined, client_secret: undefined }
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

async function post(form: Readonly<Record<string, string | undefined>> | string, headers: Record<string, string> = {}) {
  const filled =
    typeof form === 'string'
      ? form
      : Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const response = await gateway.fetch('/v2/connect/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(filled).toString(),
  })
  expect(response.headers.get('svc-request-id')).toMatch(UUID)
  return response
}

/** An error of RFC 6749 and nothing else; the challenge repeats it. */
async function expectError(response: Response, error: string, reported = /\S/): Promise<void> {
  const body = Object(await response.json())
  const docs = `${gateway.config.baseUrl}/docs/errors#${error}`
  expect(body).toEqual({ error, error_description: expect.stringMatching(reported) })
  expect(response.headers.get('link')).toBe(`<${docs}>; rel="help"`)
  const parameters = `error="${error}", error_description="${body.error_description}", error_uri="${docs}"`
  expect(response.headers.get('www-authenticate')).toBe(
    response.status === 401 ? `Basic realm="Havn", ${parameters}` : null,
  )
}

const tokenIn = async (response: Response) => Value.Parse(Token, await response.json())

describe('a token', () => {
  test('is issued to a client that sends its credentials in the form', async () => {
    const response = await post(FORM)
    expect(response.status).toBe(200)
    const token = await tokenIn(response)
    expect(token).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      ext_expires_in: 3600,
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    const { iat = 0, ...claims } = decodeJwt(token.access_token)
    const expected = {
      iss: gateway.config.authUrl,
      aud: FORM.scope,
      sub: ID,
      client_id: ID,
      exp: iat + 3600,
      secret_number: 1,
    }
    expect(decodeProtectedHeader(token.access_token)).toMatchObject({ typ: 'at+jwt' })
    expect(claims).toEqual({ ...expected, jti: expect.stringMatching(UUID) })
  })

  test('is issued to a client that sends them by HTTP Basic', async () => {
    expect((await post({ ...FORM, ...NO_CREDENTIALS }, basic(ID, SECRET))).status).toBe(200)
    expect((await post({ ...FORM, client_id: ID, client_secret: '' }, basic(ID, SECRET))).status).toBe(200)
  })

  test('is issued by HTTP Basic for a secret with every allowed character', async () => {
    const clientSecret = 'a:b%2B c+ø"€'
    const { credentials } = await createPartner(gateway.context, 'test', { name: 'Signs', clientSecret })
    expect((await post({ ...FORM, ...NO_CREDENTIALS }, basic(credentials.clientId, clientSecret))).status).toBe(200)
  })

  test('is signed with a key whose public half is published', async () => {
    const { access_token } = await tokenIn(await post(FORM))
    const { keys } = await gateway.client.getKeys()
    const key = keys.find(({ kid }) => kid === decodeProtectedHeader(access_token).kid)
    expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig' })
    expect(key).not.toHaveProperty('d')
  })

  test('is signed by the key of this moment, not by one that was disabled just before', async () => {
    const { context } = gateway
    const kidOf = async (response: Response) => decodeProtectedHeader((await tokenIn(response)).access_token).kid
    const kid = (await kidOf(await post(FORM))) ?? ''
    await revokeTokenKey(context, context.seal, kid)
    expect(await kidOf(await post(FORM))).not.toBe(kid)
  })
})

describe('401 invalid_client with WWW-Authenticate: Basic is returned for', () => {
  test.each<[string, Record<string, string | undefined>, Record<string, string>]>([
    ['an unknown client', { ...FORM, client_id: 'nobody' }, {}],
    ['a wrong secret', { ...FORM, client_secret: 'wrong' }, {}],
    ['an empty secret', { ...FORM, client_secret: '' }, {}],
    ['the digest of the secret', { ...FORM, client_secret: 'QMFm4bSFNwLZ0G6-NSIYkVSFrVjvMVQqGSaS5Bg5Q3I' }, {}],
    ['a client id in upper case', { ...FORM, client_id: 'DEMO-PARTNER' }, {}],
    ['an unknown client by HTTP Basic', { ...FORM, ...NO_CREDENTIALS }, basic('nobody', SECRET)],
    ['a wrong secret by HTTP Basic', { ...FORM, ...NO_CREDENTIALS }, basic(ID, 'wrong')],
    ['HTTP Basic without a colon', { ...FORM, ...NO_CREDENTIALS }, { authorization: 'Basic ZGVtbw==' }],
    ['a client id with U+0000 by HTTP Basic', { ...FORM, ...NO_CREDENTIALS }, basic('demo\0', SECRET)],
  ])('%s', async (_what, form, headers) => {
    const response = await post(form, headers)
    expect(response.status).toBe(401)
    // An attacker does not learn which client ids exist.
    await expectError(response, 'invalid_client', /^The client is unknown, or its secret is wrong$/)
  })

  test('a client that was disabled', async () => {
    const { partner, credentials } = await createPartner(gateway.context, 'test', { name: 'Disabled client' })
    const form = { ...FORM, client_id: credentials.clientId, client_secret: credentials.clientSecret }
    expect((await post(form)).status).toBe(200)
    await revokeClientAccess(gateway.context, 'test', credentials.clientId)
    await expectError(await post(form), 'invalid_client', /disabled/)
    await expectError(await post({ ...form, client_secret: 'wrong' }), 'invalid_client', /unknown, or its secret/)
    expect(partner.disabledAt).toBeNull()
  })

  test('a client of a partner that was disabled', async () => {
    const { partner, credentials } = await createPartner(gateway.context, 'test', { name: 'Disabled partner' })
    await revokePartnerAccess(gateway.context, 'test', partner)
    const form = { ...FORM, client_id: credentials.clientId, client_secret: credentials.clientSecret }
    await expectError(await post(form), 'invalid_client', /disabled/)
  })
})

test('neither a token nor an error may be cached', async () => {
  for (const [form, status] of [[FORM, 200] as const, [{ ...FORM, client_secret: 'wrong' }, 401] as const]) {
    const answer = await post(form)
    expect({ status: answer.status, cached: answer.headers.get('cache-control') }).toEqual({
      status,
      cached: 'no-store',
    })
  }
})

describe('400 with the error codes of RFC 6749 is returned for', () => {
  const asText = new URLSearchParams(FORM).toString()
  test.each<[string, Record<string, string | undefined> | string, string, Record<string, string>?]>([
    ['an empty form', '', 'invalid_request'],
    ['no grant type', { ...FORM, grant_type: undefined }, 'invalid_request'],
    ['another grant type', { ...FORM, grant_type: 'password' }, 'unsupported_grant_type'],
    ['no scope', { ...FORM, scope: undefined }, 'invalid_request'],
    ['an unknown scope', { ...FORM, scope: 'everything' }, 'invalid_scope'],
    ['the scope of the other environment', { ...FORM, scope: scopesByEnvironment.production }, 'invalid_scope'],
    ['no credentials', { ...FORM, ...NO_CREDENTIALS }, 'invalid_request'],
    ['a client id without a secret', { ...FORM, client_secret: undefined }, 'invalid_request'],
    ['credentials in the form and by HTTP Basic', FORM, 'invalid_request', basic(ID, SECRET)],
    ['a repeated parameter', `${asText}&client_id=other`, 'invalid_request'],
    ['U+0000 in a parameter', { ...FORM, client_id: 'demo\0' }, 'invalid_request'],
  ])('%s', async (_what, form, error, headers) => {
    const response = await post(form, headers)
    expect(response.status).toBe(400)
    await expectError(response, error)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })
})

test('an error has the details of all errors for who asks for them', async () => {
  const response = await post({ ...FORM, scope: 'everything' }, { prefer: 'errors=detailed' })
  const docs = `${gateway.config.baseUrl}/docs/errors#invalid_scope`
  expect(await response.json()).toMatchObject({
    error: 'invalid_scope',
    error_uri: docs,
    svcRequestId: response.headers.get('svc-request-id'),
    code: 'invalid_scope',
    errors: [{ code: 'invalid_scope', path: '.', docs }],
  })
})

describe('invalid_request in the format of RFC 6749 is returned for', () => {
  test.each([
    ['JSON', 'application/json', JSON.stringify(FORM), 415],
    ['broken JSON', 'application/json', '{', 400],
    ['a media type other than the form', 'text/plain', 'grant_type=client_credentials', 415],
    ['no body', undefined, undefined, 400],
    ['no body with the media type of the form', 'application/x-www-form-urlencoded', undefined, 400],
    ['a body over the limit', 'application/x-www-form-urlencoded', `scope=${'x'.repeat(300_000)}`, 413],
  ])('%s', async (_what, type, body, status) => {
    const response = await gateway.fetch('/v2/connect/token', {
      method: 'POST',
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      ...(body === undefined ? {} : { body }),
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('svc-request-id')).toMatch(UUID)
    await expectError(response, 'invalid_request')
  })
})

test('neither secrets nor tokens are logged', async () => {
  const { access_token } = await tokenIn(await post({ ...FORM, ...NO_CREDENTIALS }, basic(ID, SECRET)))
  await gateway.fetch('/api/companies', { headers: { authorization: `Bearer ${access_token}` } })
  const log = gateway.logLines().join('')
  expect(log).toContain('/v2/connect/token')
  expect(log).not.toContain(SECRET)
  expect(log).not.toContain(access_token.split('.')[2] ?? 'nothing')
})

test('a rejected request is logged with its client and the network or address that it came from', async () => {
  const lineOf = (id: string | null, text: string): Record<string, unknown> => {
    const line = gateway.logLines().find((one) => one.includes(String(id)) && one.includes(text))
    return line === undefined ? {} : Object(JSON.parse(line))
  }
  const wrong = (await post({ ...FORM, client_secret: 'wrong' })).headers.get('svc-request-id')
  const unknown = (await post({ ...FORM, client_id: 'a typed password' })).headers.get('svc-request-id')
  await expect.poll(() => lineOf(wrong, 'a token request of a known client')).toMatchObject({ client: ID })
  expect(lineOf(wrong, 'answered')).toMatchObject({ status: 401, address: '127.0.0.0/24' })
  expect(lineOf(unknown, 'a token request of a known client')).toEqual({})
  expect(gateway.logLines().join('')).not.toContain('a typed password')
  const { access_token } = await tokenIn(await post(FORM))
  const headers = { authorization: `Bearer ${access_token}` }
  const missing = await gateway.fetch('/api/v2/payments/018f0000-0000-7000-8000-000000000000/status', { headers })
  const id = missing.headers.get('svc-request-id')
  expect(lineOf(id, 'answered')).toMatchObject({ status: 404, client: ID, address: '127.0.0.1' })
})

describe('the secret of a client', () => {
  let created: Credentials
  beforeAll(async () => {
    created = (await createPartner(gateway.context, 'test', { name: 'Rotates its secret' })).credentials
  })

  /** The lifetime of the token in seconds, or the error of the token endpoint. */
  async function tokenWith({ clientId, clientSecret }: Credentials): Promise<unknown> {
    const response = await post({ ...FORM, client_id: clientId, client_secret: clientSecret })
    const answer = Object(await response.json())
    return answer.expires_in ?? answer.error
  }

  const endFormerIn = (seconds: number) =>
    gateway.context.database.pool.query('update clients set former_secret_ends_at = $2 where client_id = $1', [
      created.clientId,
      gateway.context.clock.real().add({ seconds }).toString(),
    ])

  test('works while the former one still does; that ends by itself, and its tokens with it', async () => {
    const { context } = gateway
    const second = await rotateClientSecret(context, 'test', created.clientId, 7)
    expect([await tokenWith(created), await tokenWith(second)]).toEqual([3600, 3600])
    await endFormerIn(60)
    expect(await tokenWith(created)).toBeLessThanOrEqual(60)
    await endFormerIn(-1)
    expect([await tokenWith(created), await tokenWith(second)]).toEqual(['invalid_client', 3600])

    const third = await rotateClientSecret(context, 'test', created.clientId, 1)
    await expect(rotateClientSecret(context, 'test', created.clientId, 1)).rejects.toThrow('still valid')
    await revokeFormerSecret(context, 'test', created.clientId)
    expect([await tokenWith(second), await tokenWith(third)]).toEqual(['invalid_client', 3600])
    await expect(revokeFormerSecret(context, 'test', created.clientId)).rejects.toThrow('no former secret')

    const fourth = await rotateClientSecret(context, 'test', created.clientId, 0)
    expect([await tokenWith(third), await tokenWith(fourth)]).toEqual(['invalid_client', 3600])
    const { rows } = await context.database.pool.query('select * from clients where client_id = $1', [created.clientId])
    expect(JSON.stringify(rows)).not.toContain(fourth.clientSecret)
  })

  test('is not rotated with an overlap out of bounds, nor once the client is disabled', async () => {
    const { context } = gateway
    const { credentials } = await createPartner(context, 'test', { name: 'Is disabled' })
    const { clientId } = credentials
    for (const days of [-1, 31, 0.5]) {
      await expect(rotateClientSecret(context, 'test', clientId, days)).rejects.toThrow('between 0 and 30 days')
    }
    // Not without its entry in the audit log, which has no such actor: it can be disabled again.
    await expect(revokeClientAccess(context, 'te\0st', clientId)).rejects.toThrow('0x00')
    await revokeClientAccess(context, 'test', clientId)
    await expect(rotateClientSecret(context, 'test', clientId, 1)).rejects.toThrow('No enabled client')
    await expect(rotateClientSecret(context, 'test', 'unknown', 1)).rejects.toThrow('No enabled client')
  })
})
