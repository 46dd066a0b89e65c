/** Tests a bank where the SCA is an OAuth grant: Elvebanken. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../gateway/platform/database/database.ts'
import { newId } from '../../../gateway/platform/ids.ts'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { BACK, codeIn, type GrantQuery, oauthClientOf } from '../../testing/oauth-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  consentRequest,
  headersOf,
  KARI,
  NORDLYS,
  OLA,
  order,
  PAYMENTS,
  thirdPartyOf,
} from '../../testing/third-party.ts'
import type { Tables } from '../tables.ts'

const elvebanken = { base: '/elvebanken/v1', query: '', headers: {}, user: KARI, company: NORDLYS }
const MAIN = '80541100028'
const SUPPLIER = '80541200014'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const tpp = thirdPartyOf(() => tested.bank, elvebanken)
const client = oauthClientOf(() => tested.bank, 'elvebanken')
const headers = headersOf(elvebanken)

async function pay(changes: object = {}): Promise<string> {
  const body = order({ debtorAccount: { bban: MAIN }, creditorAccount: { bban: SUPPLIER }, ...changes })
  return (await tpp.send('POST', PAYMENTS, { body, headers })).text('paymentId')
}

async function start(path: string, userId = KARI) {
  return await tpp.send('POST', `${path}/authorisations`, { body: {}, headers: { ...headers, 'PSU-ID': userId } })
}

/** A payment whose authorisation has started, and an authorisation request for it. */
async function begun(): Promise<{
  readonly id: string
  readonly asking: GrantQuery
  readonly authorisationId: string
}> {
  const id = await pay()
  const started = await start(`${PAYMENTS}/${id}`)
  return { id, asking: client.asking(`PIS:${id}`), authorisationId: started.text('authorisationId') }
}

/** Follows the redirects from the third party's URL to the final URL of the browser. */
async function walk(asking: GrantQuery, decision = 'approve', userId = KARI): Promise<string | null> {
  const { location: page } = await client.authorise(asking)
  await client.browse(page ?? '', { userId })
  const { location: back } = await client.browse(page ?? '', { decision })
  return (await client.browse(back ?? '')).location
}

async function signed(): Promise<{ readonly id: string; readonly asking: GrantQuery; readonly code: string }> {
  const { id, asking } = await begun()
  return { id, asking, code: codeIn(await walk(asking)) }
}

/** A consent that its user has granted, and its token. */
async function opened() {
  const made = await tpp.send('POST', '/consents', { body: consentRequest(), headers })
  const consentId = made.text('consentId')
  await start(`/consents/${consentId}`)
  const asking = client.asking(`AIS:${consentId}`)
  const { body } = await client.exchange(asking, codeIn(await walk(asking)))
  return { consentId, token: bearer(body) }
}

const bearer = (body: Record<string, unknown>) => ({ Authorization: `Bearer ${String(body['access_token'])}` })
const statusOf = async (id: string, more: object = {}) =>
  await tpp.send('GET', `${PAYMENTS}/${id}/status`, { headers: { ...more } })
const codeOf = (reply: { status: number; body: unknown }) => [
  reply.status,
  /"code":"(\w+)"/.exec(JSON.stringify(reply.body))?.[1],
]

describe('the OAuth approach of a payment', () => {
  test('starts at the server that the response links to, and ends with a code and the state', async () => {
    const id = await pay()
    const started = await start(`${PAYMENTS}/${id}`)
    expect(started.headers.get('aspsp-sca-approach')).toBe('REDIRECT')
    const metadata = await (await fetch(started.text('_links.scaOAuth.href'))).json()
    expect(metadata).toMatchObject({
      issuer: tested.bank.urlOf('elvebanken'),
      authorization_endpoint: `${tested.bank.pagesUrl}/oauth/elvebanken/authorize`,
      token_endpoint: `${tested.bank.urlOf('elvebanken')}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
    })
    const asking = client.asking(`PIS:${id}`)
    const back = new URL((await walk(asking)) ?? '')
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([BACK, 'a state of ours'])
    expect((await statusOf(id)).text('transactionStatus')).toBe('ACSP')
    const exchanged = await client.exchange(asking, codeIn(back.href))
    expect([exchanged.status, exchanged.body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        refresh_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: `PIS:${id}`,
      },
    ])
  })

  test('shows what is signed on the bank’s own page', async () => {
    const { asking } = await begun()
    const { location } = await client.authorise(asking)
    await client.browse(location ?? '', { userId: KARI })
    expect((await client.browse(location ?? '')).page).toContain('Granli Trelast AS')
  })

  test.each([
    ['reject', 'The user rejected the request'],
    ['cancel', 'The user cancelled the signing'],
  ])('that the user ends by %s ends with access_denied', async (decision, text) => {
    const { id, asking } = await begun()
    const back = new URL((await walk(asking, decision)) ?? '')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      error_description: text,
      state: 'a state of ours',
    })
    expect((await statusOf(id)).text('transactionStatus')).toBe('RCVD')
  })

  test('continues where it was when its browser returns', async () => {
    const { asking } = await begun()
    const first = await client.authorise(asking)
    const second = await client.authorise(asking)
    expect((await client.browse(first.location ?? '')).status).toBe(404)
    await client.browse(second.location ?? '', { userId: KARI })
    const { location } = await client.browse(second.location ?? '', { decision: 'approve' })
    expect(codeIn((await client.browse(location ?? '')).location)).not.toBe('')
  })

  test('cannot bypass the signature', async () => {
    const { id, asking } = await begun()
    const { location: page } = await client.authorise(asking)
    await client.browse(page ?? '', { userId: KARI })
    const { location: back } = await client.browse(page ?? '', { decision: 'reject' })
    const early = await begun()
    expect((await client.browse(`${back}`.replace(/[^/]+$/, 'x'))).status).toBe(400)
    expect((await client.authorise(early.asking)).location).toContain('/sca/')
    expect(codeIn((await client.browse(back ?? '')).location)).toBe('')
    expect((await statusOf(id)).text('transactionStatus')).toBe('RCVD')
  })

  test('ends at once when the user has signed elsewhere in the meantime', async () => {
    const { asking, authorisationId } = await begun()
    await tpp.control('POST', `/authorisations/${authorisationId}/sign`, {})
    const { location } = await client.authorise(asking)
    expect((await client.exchange(asking, codeIn(location))).status).toBe(200)
  })

  test('is used once by each signer', async () => {
    const id = await pay({ debtorAccount: { bban: '80541100044' } })
    const path = `${PAYMENTS}/${id}`
    await start(path)
    const first = client.asking(`PIS:${id}`)
    await client.exchange(first, codeIn(await walk(first)))
    await start(path, OLA)
    const second = client.asking(`PIS:${id}`)
    const { body } = await client.exchange(second, codeIn(await walk(second, 'approve', OLA)))
    expect((await statusOf(id, bearer(body))).text('transactionStatus')).toBe('ACSP')
  })
})

describe('the OAuth approach of a cancellation', () => {
  test('is that of the payment, and ends it', async () => {
    const day = FIRST_DAY.add({ days: 30 }).toString()
    const id = await pay({ requestedExecutionDate: day })
    const path = `${PAYMENTS}/${id}`
    await start(path)
    const asking = client.asking(`PIS:${id}`)
    const { body } = await client.exchange(asking, codeIn(await walk(asking)))
    const deleted = await tpp.send('DELETE', path, { headers: { ...headers, ...bearer(body) } })
    expect(deleted.status).toBe(202)
    await tpp.send('POST', `${path}/cancellation-authorisations`, { body: {}, headers })
    const again = client.asking(`PIS:${id}`)
    await walk(again)
    expect((await statusOf(id, bearer(body))).text('transactionStatus')).toBe('CANC')
  })
})

describe('the browser is not redirected', () => {
  test.each([
    ['without a client', { client_id: undefined }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['with another redirect URI than that of the authorisation', { redirect_uri: 'https://evil.example/ok' }],
    ['with an invalid redirect URI', { redirect_uri: 'javascript:alert(1)' }],
    ['with a fragment', { redirect_uri: `${BACK}#x` }],
    ['with credentials', { redirect_uri: 'http://a:b@127.0.0.1:9/ok' }],
    ['for a token', { response_type: 'token' }],
    ['without a challenge', { code_challenge: undefined }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['without a scope', { scope: undefined }],
    ['for an unknown payment', { scope: `PIS:${newId()}` }],
    ['for an invalid id', { scope: 'PIS:x' }],
    ['for services', { scope: 'AIS PIS' }],
  ])('%s', async (_what, changes) => {
    const { id } = await begun()
    const { status, location, page } = await client.authorise(client.asking(`PIS:${id}`, changes))
    expect([status, location]).toEqual([400, null])
    expect(page).toContain('This does not work')
  })

  test('by a bank without an authorisation server', async () => {
    const elsewhere = oauthClientOf(() => tested.bank, 'fjordbanken')
    expect((await elsewhere.authorise(elsewhere.asking('AIS PIS'))).status).toBe(404)
    expect((await fetch(`${tested.bank.xs2aUrl}/fjordbanken/.well-known/oauth-authorization-server`)).status).toBe(404)
    expect((await elsewhere.exchange(elsewhere.asking('x'), 'x')).body['error']).toBe('invalid_request')
  })
})

describe('a code', () => {
  test.each([
    ['of another client', { client_id: 'PSDNO-FSA-987654321' }, 'invalid_grant'],
    ['with another redirect URI', { redirect_uri: 'http://127.0.0.1:9/nok' }, 'invalid_grant'],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['that is unknown', { code: 'x' }, 'invalid_grant'],
    ['that is missing', { code: '' }, 'invalid_request'],
    ['without a verifier', { code_verifier: '' }, 'invalid_request'],
    ['in another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('%s is not exchanged', async (_what, changes, error) => {
    const { asking, code } = await signed()
    const rejected = await client.exchange(asking, code, changes)
    expect([rejected.status, rejected.body['error']]).toEqual([400, error])
    expect(rejected.body['access_token']).toBeUndefined()
  })

  test('is exchanged once: the second time revokes its tokens', async () => {
    const { id, asking, code } = await signed()
    const { body } = await client.exchange(asking, code)
    expect((await statusOf(id, bearer(body))).status).toBe(200)
    expect((await client.exchange(asking, code)).body['error']).toBe('invalid_grant')
    expect(codeOf(await statusOf(id, bearer(body)))).toEqual([401, 'TOKEN_INVALID'])
  })

  test('is valid for a minute', async () => {
    const { asking, code } = await signed()
    await tpp.control('POST', '/tokens/expire', { bank: 'ELVANO22' })
    const rejected = await client.exchange(asking, code)
    expect([rejected.body['error'], rejected.body['error_description']]).toEqual([
      'invalid_grant',
      'The code has expired',
    ])
  })
})

describe('the subject of a grant', () => {
  test('requires its token for reads, once there is one', async () => {
    const { id, asking, code } = await signed()
    expect((await statusOf(id)).status).toBe(200)
    const { body } = await client.exchange(asking, code)
    expect(codeOf(await statusOf(id))).toEqual([401, 'TOKEN_UNKNOWN'])
    expect(codeOf(await statusOf(id, { Authorization: 'Bearer x' }))).toEqual([401, 'TOKEN_UNKNOWN'])
    expect(codeOf(await statusOf(id, { Authorization: 'Basic x' }))).toEqual([401, 'TOKEN_INVALID'])
    const refreshing = { Authorization: `Bearer ${String(body['refresh_token'])}` }
    expect(codeOf(await statusOf(id, refreshing))).toEqual([401, 'TOKEN_UNKNOWN'])
    expect((await statusOf(id, bearer(body))).text('transactionStatus')).toBe('ACSP')
    expect(codeOf(await tpp.send('GET', `${PAYMENTS}/${id}`))).toEqual([401, 'TOKEN_UNKNOWN'])
    expect(codeOf(await tpp.send('DELETE', `${PAYMENTS}/${id}`))).toEqual([401, 'TOKEN_UNKNOWN'])
  })

  test('may be accounts too, with the consent’s own token only', async () => {
    const accounts = (consentId: string, more: object) =>
      tpp.send('GET', '/accounts', { headers: { 'Consent-ID': consentId, 'PSU-IP-Address': '192.0.2.7', ...more } })
    const [older, newer] = [await opened(), await opened()]
    expect((await accounts(newer.consentId, newer.token)).status).toBe(200)
    expect(codeOf(await accounts(newer.consentId, {}))).toEqual([401, 'TOKEN_UNKNOWN'])
    expect(codeOf(await accounts(newer.consentId, older.token))).toEqual([401, 'TOKEN_INVALID'])
    const consent = await tpp.send('GET', `/consents/${newer.consentId}/status`, { headers: newer.token })
    expect(consent.body).toEqual({ consentStatus: 'valid' })
    expect(codeOf(await tpp.send('GET', `/consents/${newer.consentId}`))).toEqual([401, 'TOKEN_UNKNOWN'])
  })

  test('a consent has a token that is not valid for payments', async () => {
    const { consentId, token } = await opened()
    expect((await tpp.send('GET', `/consents/${consentId}/status`, { headers: token })).status).toBe(200)
    const id = await pay()
    expect(codeOf(await statusOf(id, token))).toEqual([403, 'SERVICE_BLOCKED'])
    const body = order({ debtorAccount: { bban: MAIN }, creditorAccount: { bban: SUPPLIER } })
    const ordered = await tpp.send('POST', PAYMENTS, { body, headers: { ...headers, ...token } })
    expect(codeOf(ordered)).toEqual([403, 'SERVICE_BLOCKED'])
  })
})

test('no usable secret is stored', async () => {
  const { id, asking, code } = await signed()
  const { body } = await client.exchange(asking, code)
  const database = openDatabase<Tables>({
    connectionString: tested.connectionString,
    applicationName: 'a test that looks for secrets',
    connectionsMax: 1,
    schema: 'sandbox_bank',
  })
  const tables = ['oauth_requests', 'oauth_grants', 'oauth_tokens'] as const
  const rows = await Promise.all(tables.map((table) => database.query.selectFrom(table).selectAll().execute()))
  await database.close()
  const stored = JSON.stringify(rows)
  expect(stored).toContain(`PIS:${id}`)
  for (const secret of [code, body['access_token'], body['refresh_token']]) {
    expect(stored).not.toContain(String(secret))
  }
})
