/** Shows the validation of authorisation server metadata, the authorisation URL, and the handling of callbacks. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { BankRequest, BankResponse } from '../../../connector/connector-dependencies.ts'
import {
  SAMPLE_AUTHORISATION_REQUEST,
  SAMPLE_RETURN_URLS,
  sampleBank,
  sampleCaller,
  sampleSubmittedOrder,
} from '../../../testing/samples.ts'
import { scriptedBank } from '../../../testing/scripted-bank.ts'

const ISSUER = 'https://xs2a.fjordbanken.example/psd2'
const METADATA_AT = `${ISSUER}/.well-known/oauth-authorization-server`
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: 'https://sign.fjordbanken.example/authorize?lang=nb',
  token_endpoint: 'https://xs2a.fjordbanken.example/psd2/oauth/token',
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
}
const GRANTED = { access_token: 'at-1', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt-1' }
const NOW = Temporal.Instant.from('2026-11-21T12:00Z')
const signIn = { metadata: '.well-known/oauth-authorization-server', scope: 'AIS PIS' }
const BANK = sampleBank({ dialect: { signIn } })

describe('the OAuth SCA approach', () => {
  test('redirects the browser with PKCE, a state, and the order as its scope', async () => {
    const { approach, returnSecret, requested } = await started({})
    const url = new URL(approach.type === 'redirect' ? approach.url : '')
    expect(url.origin + url.pathname).toBe('https://sign.fjordbanken.example/authorize')
    expect(requested.map(({ url: called }) => called)).toContain(METADATA_AT)
    const { verifier, state } = JSON.parse(returnSecret ?? '')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      lang: 'nb',
      response_type: 'code',
      client_id: 'havn',
      scope: 'PIS:p1',
      state,
      redirect_uri: SAMPLE_RETURN_URLS.success,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    expect(url.href).not.toContain(verifier)
  })

  test('has the client id of the profile', async () => {
    const { approach } = await started({}, { clientId: 'registered-7' })
    expect(new URL(approach.type === 'redirect' ? approach.url : '').searchParams.get('client_id')).toBe('registered-7')
  })

  test('is exchanged for tokens, with the verifier', async () => {
    const begun = await started({})
    const { tokens, requested } = await begun.back({ code: 'c-1' })
    const server = { metadata: METADATA_AT, issuer: ISSUER }
    expect(tokens).toEqual({ accessToken: 'at-1', refreshToken: 'rt-1', expiresAt: NOW.add({ hours: 1 }), server })
    expect(requested.at(-1)).toMatchObject({ method: 'POST', url: METADATA.token_endpoint })
    expect(Object.fromEntries(new URLSearchParams(requested.at(-1)?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c-1',
      redirect_uri: SAMPLE_RETURN_URLS.success,
      client_id: 'havn',
      code_verifier: JSON.parse(begun.returnSecret ?? '').verifier,
    })
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['another state', { code: 'c-1', state: 'forged' }],
    ['another issuer', { code: 'c-1', iss: 'https://evil.example' }],
    ['a rejection by the user', { error: 'access_denied' }],
  ])('with the callback %s is worthless, and the server is not called', async (_what, query) => {
    const { tokens, requested } = await (await started({})).back(query)
    expect(tokens).toBeNull()
    expect(requested.filter(({ operation }) => operation === 'requestToken')).toEqual([])
  })

  test.each([
    { error: 'invalid_grant' },
    // Servers that run Apigee: https://docs.apigee.com/api-platform/reference/policies/oauth-http-status-code-reference
    { ErrorCode: 'invalid_request', Error: 'Invalid Authorization Code' },
    { ErrorCode: 'invalid_request', Error: 'Refresh Token expired' },
  ])('with a code that was used before is worthless: %j', async (body) => {
    const begun = await started({}, {}, { status: 400, body })
    expect((await begun.back({ code: 'c-1' })).tokens).toBeNull()
  })

  test.each([
    [{ status: 401, body: { error: 'invalid_client' } }, 'misconfigured'],
    [{ status: 400, body: { ErrorCode: 'invalid_request', Error: 'Required param : refresh_token' } }, 'misconfigured'],
    [{ status: 503, body: {} }, 'unavailable'],
    [{ status: 200, body: { ...GRANTED, token_type: 'mac' } }, 'misconfigured'],
    [{ status: 200, body: { ...GRANTED, access_token: 'a\r\nb' } }, 'misconfigured'],
    [{ status: 200, body: {} }, 'misconfigured'],
  ])('whose token response is %j is rejected without quoting it', async (answer, kind) => {
    const begun = await started({}, {}, answer)
    const rejection = await begun.back({ code: 'c-1' }).catch((error: unknown) => error)
    expect(rejection).toMatchObject({ kind, message: expect.not.stringContaining('at-1') })
  })

  test.each([
    [{ expires_in: undefined }, 300],
    [{ expires_in: '60' }, 60],
    [{ expires_in: 0 }, 300],
    [{ expires_in: undefined, refresh_token: undefined }, 366 * 24 * 3600],
    [{ expires_in: -5 }, 300],
    [{ expires_in: 1e15 }, 366 * 24 * 3600],
  ])('accepts %j as a lifetime as far as it is plausible', async (change, seconds) => {
    const begun = await started({}, {}, { status: 200, body: { ...GRANTED, ...change } })
    expect((await begun.back({ code: 'c-1' })).tokens?.expiresAt).toEqual(NOW.add({ seconds }))
  })

  test.each(['bearer', 'BearerToken'])('accepts %j as the type of a bearer token', async (type) => {
    const begun = await started({}, {}, { status: 200, body: { ...GRANTED, token_type: type } })
    expect((await begun.back({ code: 'c-1' })).tokens?.accessToken).toBe('at-1')
  })
})

describe('an authorisation server', () => {
  test.each([
    'https://xs2a.fjordbanken.example/.well-known/oauth-authorization-server/psd2',
    `${ISSUER}/.well-known/openid-configuration`,
  ])('may have its metadata at %s, as in RFC 8414', async (metadata) => {
    const { approach } = await started({}, {}, undefined, metadata)
    expect(approach.type).toBe('redirect')
  })

  test.each<[string, object]>([
    ['redirects browsers to another host', { authorization_endpoint: 'https://evil.example/authorize' }],
    ['redirects browsers over http', { authorization_endpoint: 'http://sign.fjordbanken.example/authorize' }],
    ['has its token endpoint on another host', { token_endpoint: 'https://evil.example/token' }],
    ['has the metadata of another issuer', { issuer: 'https://xs2a.fjordbanken.example/other' }],
    ['has the metadata of another server', { issuer: 'https://evil.example/psd2' }],
    ['has no PKCE by S256', { code_challenge_methods_supported: ['plain'] }],
    ['does not state its issuer', { code_challenge_methods_supported: undefined }],
    ['has no code grant', { response_types_supported: ['token'] }],
    ['has no token endpoint', { token_endpoint: undefined }],
  ])('that %s is not trusted', async (_what, change) => {
    await expect(started(change)).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test('with its metadata on another host is not called', async () => {
    await expect(started({}, {}, undefined, 'https://evil.example/metadata')).rejects.toMatchObject({
      kind: 'misconfigured',
      message: expect.stringContaining('not among the bank'),
    })
  })
})

describe('signing in', () => {
  test('requests the scope of the profile, and refreshes with its refresh token', async () => {
    const { connector, requested } = scripted({ status: 200, body: { ...GRANTED, refresh_token: undefined } })
    const begun = await connector.oauth?.begin(BANK, SAMPLE_RETURN_URLS)
    expect(new URL(begun?.url ?? '').searchParams.get('scope')).toBe('AIS PIS')
    // A server that returns no new refresh token leaves the old one valid.
    const stored = { refreshToken: 'rt-0', server: { metadata: METADATA_AT, issuer: ISSUER } }
    expect(await connector.oauth?.refresh(BANK, stored)).toMatchObject({ accessToken: 'at-1', ...stored })
    const form = Object.fromEntries(new URLSearchParams(requested.at(-1)?.body))
    expect(form).toEqual({ grant_type: 'refresh_token', refresh_token: 'rt-0', client_id: 'havn' })
  })

  test('is refreshed at its issuer, whatever the profile says, and with no other issuer', async () => {
    const { connector } = scripted()
    const server = { metadata: METADATA_AT, issuer: ISSUER }
    const renewed = await connector.oauth?.refresh(sampleBank(), { refreshToken: 'rt-0', server })
    expect(renewed).toMatchObject({ accessToken: 'at-1', refreshToken: 'rt-1', server })
    const elsewhere = { ...server, issuer: `${ISSUER}/other` }
    await expect(
      connector.oauth?.refresh(sampleBank(), { refreshToken: 'rt-0', server: elsewhere }),
    ).rejects.toMatchObject({ kind: 'misconfigured' })
  })

  test('is rejected by the user only with the state of this sign-in', async () => {
    const { connector } = scripted()
    const begun = await connector.oauth?.begin(BANK, SAMPLE_RETURN_URLS)
    const { state } = JSON.parse(begun?.returnSecret ?? '{}')
    const back = async (query: Readonly<Record<string, string>>) =>
      await connector.oauth?.exchange(BANK, {
        query,
        returnSecret: begun?.returnSecret ?? null,
        back: SAMPLE_RETURN_URLS,
      })
    expect(await back({ error: 'access_denied' })).toBeNull()
    expect(await back({ error: 'access_denied', state: 'forged' })).toBeNull()
    expect(await back({ error: 'access_denied', state, iss: 'https://evil.example' })).toBeNull()
    expect(await back({ error: 'server_error', state })).toBeNull()
    expect(await back({ error: 'access_denied', state })).toBe('denied')
  })

  test('at a bank whose profile does not define it is our error', async () => {
    const { connector } = scripted()
    await expect(connector.oauth?.begin(sampleBank(), SAMPLE_RETURN_URLS)).rejects.toMatchObject({
      kind: 'misconfigured',
    })
  })

  test('sends its token with every call of the standard, and with no other', async () => {
    const { connector, requested } = scripted()
    const caller = sampleCaller({ bank: BANK, accessToken: 'at-9' })
    await connector.domesticPayments?.authorisations.start(caller, sampleSubmittedOrder(), SAMPLE_AUTHORISATION_REQUEST)
    expect(requested.map(({ operation, headers }) => [operation, headers['authorization']])).toEqual([
      ['startPaymentAuthorisation', 'Bearer at-9'],
      ['getAuthorisationServer', undefined],
    ])
  })
})

type Reported = { readonly status: number; readonly body: object }

/** A bank with the OAuth SCA approach, and the requests it got. */
function scripted(tokens: Reported = { status: 200, body: GRANTED }, metadata: object = METADATA, href = METADATA_AT) {
  const answers: Readonly<Record<string, Reported>> = {
    startPaymentAuthorisation: {
      status: 201,
      body: { scaStatus: 'received', authorisationId: 'a1', _links: { scaOAuth: { href } } },
    },
    getAuthorisationServer: { status: 200, body: metadata },
    requestToken: tokens,
  }
  return scriptedBank(({ operation }: BankRequest): BankResponse => {
    const { status, body } = answers[operation] ?? expect.fail(`Nobody expected ${operation}`)
    return { status, headers: {}, body: JSON.stringify(body) }
  })
}

async function started(change: object, dialect: object = {}, tokens?: Reported, href?: string) {
  const { connector, requested } = scripted(tokens, { ...METADATA, ...change }, href)
  const caller = sampleCaller({ bank: sampleBank({ dialect }) })
  const payments = connector.domesticPayments ?? expect.fail('No payments are offered')
  const begun = await payments.authorisations.start(caller, sampleSubmittedOrder(), SAMPLE_AUTHORISATION_REQUEST)
  const { state } = JSON.parse(begun.returnSecret ?? '{}')
  return {
    ...begun,
    requested,
    back: async (query: Readonly<Record<string, string>>) => {
      const brought = { query: { state, ...query }, returnSecret: begun.returnSecret, back: SAMPLE_RETURN_URLS }
      const known = { authorisationId: 'a1', partlySigned: false }
      return {
        requested,
        tokens: await payments.authorisations.complete(caller, sampleSubmittedOrder(), known, brought),
      }
    },
  }
}
