/** Tests an authorisation server with client certificates: the certificate determines the client. */
import { request as httpsRequest } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestCertificates, testCertificates } from '../../../gateway/testing/gateway/test-certificates.ts'
import type { Identity } from '../../../launcher/certificates/authority.ts'
import { BACK, codeIn, type GrantQuery, oauthClientOf } from '../../testing/oauth-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'

const OWNER = 'PSDNO-FSA-123456789'

let tested: TestBank
let certificates: TestCertificates
let qwac: Identity
beforeAll(async () => {
  certificates = await testCertificates()
  qwac = await certificates.qwac({ owner: { organizationIdentifier: OWNER } })
  tested = await startTestBank({ trust: certificates.trust })
})
afterAll(async () => {
  await tested.close()
  await certificates.remove()
})

const client = oauthClientOf(() => tested.bank, 'norrbanken')

async function loggedIn(clientId = OWNER): Promise<{ readonly asking: GrantQuery; readonly code: string }> {
  const asking = client.asking('AIS PIS', { client_id: clientId })
  const { location } = await client.authorise(asking)
  const back = await client.browse(location ?? '', { userId: '199081150100', decision: 'approve' })
  return { asking, code: codeIn(back.location) }
}

type Answer = { readonly status: number; readonly body: unknown }

function call(path: string, shown: Identity | null, form?: Readonly<Record<string, string>>): Promise<Answer> {
  const identity = shown === null ? {} : { cert: shown.certificate, key: shown.key }
  const options = {
    method: form === undefined ? 'GET' : 'POST',
    headers: form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
    ca: certificates.authority.certificate,
    agent: false as const,
    ...identity,
  }
  return new Promise((resolve, reject) => {
    const requested = httpsRequest(`${tested.bank.xs2aUrl}${path}`, options, async (answer) => {
      const text = Buffer.concat(await Array.fromAsync(answer)).toString()
      resolve({ status: answer.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) })
    })
    requested.once('error', reject)
    requested.end(form === undefined ? undefined : new URLSearchParams(form).toString())
  })
}

function exchange(shown: Identity | null, asking: GrantQuery, code: string, clientId = OWNER): Promise<Answer> {
  return call('/norrbanken/oauth/token', shown, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: BACK,
    code_verifier: asking.verifier,
  })
}

test('the metadata is public', async () => {
  for (const path of [
    '/norrbanken/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/norrbanken',
  ]) {
    const { status, body } = await call(path, null)
    expect([status, body]).toEqual([200, expect.objectContaining({ issuer: tested.bank.urlOf('norrbanken') })])
  }
})

describe('the token endpoint', () => {
  test('serves the client of the connection’s certificate, without a signed message', async () => {
    const { asking, code } = await loggedIn()
    expect(await exchange(qwac, asking, code)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })

  test('rejects a caller without a certificate', async () => {
    const { asking, code } = await loggedIn()
    expect(await exchange(null, asking, code)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  test('rejects a caller with another client id', async () => {
    const { asking, code } = await loggedIn('PSDNO-FSA-987654321')
    expect(await exchange(qwac, asking, code, 'PSDNO-FSA-987654321')).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
  })

  test('rejects the code of another client', async () => {
    const { asking, code } = await loggedIn('PSDNO-FSA-987654321')
    expect(await exchange(qwac, asking, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('ends the grants of the connection’s certificate, also without a signed message', async () => {
    const { asking, code } = await loggedIn()
    const { body } = await exchange(qwac, asking, code)
    const refreshToken = String(Object(body).refresh_token)
    const revocation = { client_id: OWNER, token: refreshToken }
    expect((await call('/norrbanken/oauth/revoke', null, revocation)).status).toBe(401)
    expect((await call('/norrbanken/oauth/revoke', qwac, revocation)).status).toBe(200)
    const refresh = { grant_type: 'refresh_token', client_id: OWNER, refresh_token: refreshToken }
    expect(await call('/norrbanken/oauth/token', qwac, refresh)).toMatchObject({ body: { error: 'invalid_grant' } })
  })

  test('is with revocation the only operation without a signed message', async () => {
    expect(await call('/norrbanken/v1/accounts', qwac)).toMatchObject({ status: 401 })
    expect(await call('/norrbanken/v1/accounts?x=/norrbanken/oauth/token', qwac)).toMatchObject({ status: 401 })
    expect(await call('/norrbanken/v1/accounts?x=/.well-known/', null)).toMatchObject({ status: 401 })
  })
})
