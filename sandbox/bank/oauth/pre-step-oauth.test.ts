/** Tests a bank that requires a token for every call: Norrbanken. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BACK, CLIENT, codeIn, oauthClientOf } from '../../testing/oauth-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { consentRequest, headersOf, thirdPartyOf } from '../../testing/third-party.ts'

const ELSA = '199081150100'
const NILS = '199182160200'
const norrbanken = { base: '/norrbanken/v1', query: '', headers: {}, user: ELSA, company: '5599901005' }
const PAYMENTS = '/payments/se-domestic-credit-transfers'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const tpp = thirdPartyOf(() => tested.bank, norrbanken)
const client = oauthClientOf(() => tested.bank, 'norrbanken')
const headers = headersOf(norrbanken)

/** Logs in, and returns the tokens. */
async function tokens(scope = 'AIS PIS', userId = ELSA): Promise<Record<string, unknown>> {
  const asking = client.asking(scope)
  const { location } = await client.authorise(asking)
  const back = await client.browse(location ?? '', { userId, decision: 'approve' })
  return (await client.exchange(asking, codeIn(back.location))).body
}

const bearer = (body: Record<string, unknown>) => ({ Authorization: `Bearer ${String(body['access_token'])}` })
const createConsent = (more: object) =>
  tpp.send('POST', '/consents', { body: consentRequest(), headers: { ...headers, ...more } })
const codeOf = (reply: { status: number; body: unknown }) => [
  reply.status,
  /"code":"(\w+)"/.exec(JSON.stringify(reply.body))?.[1],
]
const refresh = (body: Record<string, unknown>, changes: object = {}) =>
  client.token({
    grant_type: 'refresh_token',
    client_id: CLIENT,
    refresh_token: String(body['refresh_token']),
    ...changes,
  })

describe('every call', () => {
  test('requires a token', async () => {
    expect(codeOf(await createConsent({}))).toEqual([401, 'TOKEN_UNKNOWN'])
    expect(codeOf(await tpp.send('GET', '/accounts'))).toEqual([401, 'TOKEN_UNKNOWN'])
    const order = await tpp.send('POST', PAYMENTS, { body: {}, headers })
    expect(codeOf(order)).toEqual([401, 'TOKEN_UNKNOWN'])
  })

  test('with one is served, and its subject is signed by redirect', async () => {
    const token = bearer(await tokens())
    const made = await createConsent(token)
    expect(made.status).toBe(201)
    const path = `/consents/${made.text('consentId')}`
    const { id, link } = await tpp.authorise(`${path}/authorisations`, { ...headers, ...token })
    expect(link).toContain('/sca/')
    await tpp.control('POST', `/authorisations/${id}/sign`, {})
    const read = { headers: { ...token, 'Consent-ID': made.text('consentId'), 'PSU-IP-Address': '192.0.2.7' } }
    expect((await tpp.send('GET', '/accounts', read)).status).toBe(200)
  })

  test('is rejected with the token of another user', async () => {
    expect(codeOf(await createConsent(bearer(await tokens('AIS PIS', NILS))))).toEqual([401, 'TOKEN_INVALID'])
  })

  test('is rejected with a token for the other service', async () => {
    expect(codeOf(await createConsent(bearer(await tokens('PIS'))))).toEqual([401, 'TOKEN_INVALID'])
  })

  test('is rejected once the token has expired, until it is refreshed', async () => {
    const first = await tokens()
    await tpp.control('POST', '/tokens/expire', { bank: 'NORDSESS', kind: 'access' })
    expect(codeOf(await createConsent(bearer(first)))).toEqual([401, 'TOKEN_EXPIRED'])
    const refreshed = await refresh(first)
    expect([refreshed.status, refreshed.body['scope']]).toEqual([200, 'AIS PIS'])
    expect((await createConsent(bearer(refreshed.body))).status).toBe(201)
  })

  test('is rejected once the user has revoked the grant', async () => {
    const first = await tokens()
    expect((await tpp.control('POST', '/tokens/revoke', { bank: 'NORDSESS', userId: NILS })).status).toBe(200)
    expect((await createConsent(bearer(first))).status).toBe(201)
    await tpp.control('POST', '/tokens/revoke', { bank: 'NORDSESS', userId: ELSA })
    expect(codeOf(await createConsent(bearer(first)))).toEqual([401, 'TOKEN_INVALID'])
    expect((await refresh(first)).body['error']).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  test('is replaced each time; reusing an old one revokes everything', async () => {
    const first = await tokens()
    const second = (await refresh(first)).body
    expect(second['refresh_token']).not.toBe(first['refresh_token'])
    expect((await refresh(first)).body['error']).toBe('invalid_grant')
    expect((await refresh(second)).body['error']).toBe('invalid_grant')
    expect(codeOf(await createConsent(bearer(second)))).toEqual([401, 'TOKEN_INVALID'])
  })

  test('used twice at once is accepted once', async () => {
    const first = await tokens()
    const answers = await Promise.all([refresh(first), refresh(first)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('is rejected for another client, when it has expired, and as another kind of token', async () => {
    const first = await tokens()
    expect((await refresh(first, { client_id: 'PSDNO-FSA-987654321' })).body['error']).toBe('invalid_grant')
    expect((await refresh({ refresh_token: first['access_token'] })).body['error']).toBe('invalid_grant')
    await tpp.control('POST', '/tokens/expire', { bank: 'NORDSESS', kind: 'refresh' })
    expect((await refresh(first)).body['error_description']).toBe('The refresh token has expired')
  })
})

describe('revoking a grant', () => {
  const revoke = (fields: Readonly<Record<string, string>>) =>
    fetch(`${tested.bank.xs2aUrl}/norrbanken/oauth/revoke`, { method: 'POST', body: new URLSearchParams(fields) })

  test.each(['access_token', 'refresh_token'])(
    'by its %s revokes both of its tokens, and repeating it does no harm',
    async (by) => {
      const granted = await tokens()
      const fields = { client_id: CLIENT, token: String(granted[by]), token_type_hint: by }
      expect((await revoke(fields)).status).toBe(200)
      expect(codeOf(await createConsent(bearer(granted)))).toEqual([401, 'TOKEN_INVALID'])
      expect((await refresh(granted)).body['error']).toBe('invalid_grant')
      expect((await revoke(fields)).status).toBe(200)
    },
  )

  test('of another client, or an unknown one, changes nothing and reveals nothing', async () => {
    const granted = await tokens()
    const fields = { client_id: 'PSDNO-FSA-987654321', token: String(granted['refresh_token']) }
    expect((await revoke(fields)).status).toBe(200)
    expect((await revoke({ client_id: CLIENT, token: 'nobody’s' })).status).toBe(200)
    expect((await createConsent(bearer(granted))).status).toBe(201)
  })

  test('without a token is rejected, and a bank without revocation has no endpoint for it', async () => {
    expect((await revoke({ client_id: CLIENT })).status).toBe(400)
    const described = async (name: string) =>
      await (await fetch(`${tested.bank.xs2aUrl}/${name}/.well-known/oauth-authorization-server`)).json()
    expect(await described('norrbanken')).toMatchObject({ revocation_endpoint: expect.stringMatching(/\/revoke$/) })
    const integrated = await described('elvebanken')
    expect(integrated).toMatchObject({ token_endpoint: expect.any(String) })
    expect(integrated).not.toHaveProperty('revocation_endpoint')
  })
})

describe('the log-in page', () => {
  test('names the client and the scope, and lists the expected user first', async () => {
    const { location } = await client.authorise(client.asking('AIS PIS', { login_hint: NILS }))
    const { page } = await client.browse(location ?? '')
    for (const text of [CLIENT, 'Norrbanken', 'access to your accounts', 'submit payments', 'named by the app']) {
      expect(page).toContain(text)
    }
    expect(page.indexOf('Nils Åkerström')).toBeLessThan(page.indexOf('Elsa Lindgren'))
    expect(page).not.toContain('Signs Everything')
  })

  test('redirects back when the user declines', async () => {
    const { location } = await client.authorise(client.asking('AIS PIS'))
    const back = await client.browse(location ?? '', { decision: 'reject' })
    expect(back.location).toBe(`${BACK}?error=access_denied&error_description=The+user+declined&state=a+state+of+ours`)
    const again = await client.browse(location ?? '', { userId: ELSA, decision: 'approve' })
    expect(again.location).toContain('error=access_denied')
  })

  test('admits no unknown user', async () => {
    const asking = client.asking('AIS PIS')
    const { location } = await client.authorise(asking)
    const rejected = await client.browse(location ?? '', { userId: '01815012345', decision: 'approve' })
    expect([rejected.status, rejected.location]).toEqual([403, null])
    expect(rejected.page).toContain('The bank has no user with this id.')
  })

  test('is answered once: an exchanged grant is not answered again', async () => {
    const asking = client.asking('AIS PIS')
    const { location } = await client.authorise(asking)
    const { location: back } = await client.browse(location ?? '', { userId: ELSA, decision: 'approve' })
    await client.exchange(asking, codeIn(back))
    const again = await client.browse(location ?? '')
    expect([again.status, again.location]).toEqual([400, null])
  })

  test('can be skipped by scripted users', async () => {
    const granted = await client.authorise(client.asking('AIS PIS', { login_hint: '197777000001' }))
    expect(codeIn(granted.location)).not.toBe('')
    const rejected = await client.authorise(client.asking('AIS PIS', { login_hint: '197777000002' }))
    expect(rejected.location).toContain('error=access_denied')
  })
})

describe('an error is redirected back with the state', () => {
  test.each([
    ['for another response type than a code', { response_type: 'token' }, 'unsupported_response_type'],
    ['without a challenge', { code_challenge: undefined }, 'invalid_request'],
    ['with an invalid challenge', { code_challenge: 'x' }, 'invalid_request'],
    ['without a scope', { scope: undefined }, 'invalid_scope'],
    ['for an unsupported scope', { scope: 'AIS admin' }, 'invalid_scope'],
    ['for one payment', { scope: 'PIS:0190f5e2-0000-7000-8000-000000000000' }, 'invalid_scope'],
  ])('%s', async (_what, changes, error) => {
    const { location } = await client.authorise(client.asking('AIS PIS', changes))
    const back = new URL(location ?? '')
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([error, 'a state of ours'])
  })
})
