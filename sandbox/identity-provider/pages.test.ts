/** Tests the provider's side of the protocol: redirects, accepted forms, and the validity of codes and tokens. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { type SandboxIdentityProvider, startIdentityProvider } from './identity-provider.ts'

const BACK = 'https://havn.example/identity/return'
const VERIFIER = 'a-verifier-of-forty-three-characters-or-more'
const BASIC = `Basic ${Buffer.from('havn:havn-sandbox-secret').toString('base64')}`

let provider: SandboxIdentityProvider
beforeAll(async () => {
  const log = openLog({ program: 'sandbox-identity', level: 'silent' })
  provider = await startIdentityProvider({ host: '127.0.0.1', port: 0, controlPort: 0, log })
})
afterAll(() => provider.close())

type Query = Readonly<Record<string, string>>

function authorise(change: Query = {}): Promise<Response> {
  const query = {
    response_type: 'code',
    client_id: 'havn',
    redirect_uri: BACK,
    scope: 'openid profile',
    state: 'a state',
    nonce: 'a nonce',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  return fetch(`${provider.url}/bankid-no/authorize?${new URLSearchParams(query)}`, { redirect: 'manual' })
}

/** The URL of the page on which a user decides. */
async function pageFor(change: Query = {}): Promise<string> {
  return new URL((await authorise(change)).headers.get('location') ?? '', provider.url).href
}

function decides(page: string, form: Query): Promise<Response> {
  return fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}

async function codeOf(form: Query = { decision: 'sign', userId: 'kari' }): Promise<string> {
  const sent = await decides(await pageFor(), form)
  return new URL(sent.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

async function redeem(change: Query, authorization = BASIC): Promise<{ status: number; body: Record<string, string> }> {
  const form = { grant_type: 'authorization_code', redirect_uri: BACK, code_verifier: VERIFIER, ...change }
  const answer = await fetch(`${provider.url}/bankid-no/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(form),
  })
  return { status: answer.status, body: Object(await answer.json()) }
}

describe('a browser', () => {
  test.each([
    { client_id: 'nobody' },
    { redirect_uri: 'https://havn.example/elsewhere' },
    { redirect_uri: `${BACK}?a=b` },
  ])('with %j is not redirected', async (change) => {
    const answer = await authorise(change)
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 400, to: null })
  })

  test.each([{ code_challenge_method: 'plain' }, { scope: 'profile' }, { response_type: 'token' }])(
    'with %j is redirected back with an error',
    async (change) => {
      const back = new URL((await authorise(change)).headers.get('location') ?? '')
      expect(Object.fromEntries(back.searchParams)).toEqual({
        error: 'invalid_request',
        state: 'a state',
        iss: `${provider.url}/bankid-no`,
      })
    },
  )
})

describe('the page', () => {
  test('offers the persons of the country, and shows what is signed, escaped', async () => {
    const page = await (await fetch(await pageFor({ signing_text: 'One <script>alert(1)</script>\n& two' }))).text()
    expect(page).toContain('Kari Nordmann')
    expect(page).not.toContain('Elsa Lindqvist')
    expect(page).toContain('One &#60;script')
    expect(page).not.toContain('<script>')
  })

  test('keeps invalid input', async () => {
    const page = await pageFor()
    const answer = await decides(page, { decision: 'sign', given: '"Åse', family: 'Nordmann', birthDate: '1971-02-30' })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toContain('role="alert"')
    expect(text).toContain('value="&#34;Åse"')
    expect((await decides(page, { decision: 'sign', userId: 'kari' })).status).toBe(303)
  })

  test('accepts one decision', async () => {
    const page = await pageFor()
    const back = new URL((await decides(page, { decision: 'reject' })).headers.get('location') ?? '')
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect((await decides(page, { decision: 'sign', userId: 'kari' })).status).toBe(404)
    expect((await fetch(page)).status).toBe(404)
  })

  test('answers a button that is pressed twice as the first time', async () => {
    const page = await pageFor()
    const form = { decision: 'sign', userId: 'kari' }
    const [first, second] = [await decides(page, form), await decides(page, form)]
    expect([second.status, second.headers.get('location')]).toEqual([303, first.headers.get('location')])
  })

  test('does not redirect a user who closes it without answering', async () => {
    const answer = await decides(await pageFor(), { decision: 'leave' })
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 200, to: null })
  })
})

describe('a code', () => {
  test('is exchanged for one ID token, which the published keys verify', async () => {
    const code = await codeOf()
    const { status, body } = await redeem({ code })
    const [header = '', payload = '', signature = ''] = (body['id_token'] ?? '').split('.')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const published = Object(await (await fetch(`${provider.url}/bankid-no/jwks`)).json())
    const key = published.keys.find((one: { kid: string }) => one.kid === kid)
    const isSound = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      createPublicKey({ key, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    )
    expect({ status, isSound, alg: key.alg }).toEqual({ status: 200, isSound: true, alg: 'RS256' })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ nonce: 'a nonce', aud: 'havn' })
    expect(await redeem({ code })).toEqual({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.each([
    [{ code_verifier: `${VERIFIER}x` }, 'invalid_grant'],
    [{ redirect_uri: `${BACK}/` }, 'invalid_grant'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('is rejected with %j', async (change, error) => {
    expect(await redeem({ code: await codeOf(), ...change })).toEqual({ status: 400, body: { error } })
  })

  test('is rejected for another client', async () => {
    const wrong = `Basic ${Buffer.from('havn:wrong').toString('base64')}`
    expect(await redeem({ code: await codeOf() }, wrong)).toEqual({ status: 401, body: { error: 'invalid_client' } })
  })
})

test('the control API is closed to pages of other sites', async () => {
  const answer = await fetch(`${provider.controlUrl}/control/faults`, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(answer.status).toBe(403)
})

test('the control API rejects a key of the client that is none', async () => {
  const answer = await fetch(`${provider.controlUrl}/control/client-key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey: 'no key' }),
  })
  expect(answer.status).toBe(400)
})
