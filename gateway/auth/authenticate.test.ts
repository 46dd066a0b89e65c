/** Tests which access tokens are rejected: foreign, altered, expired, and those of disabled clients and partners. */
import { exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { sendRawRequest } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { createPartner } from './create-partner.ts'
import { revokeClientAccess, revokePartnerAccess } from './revoke-partner-access.ts'
import { revokeFormerSecret, rotateClientSecret } from './rotate-client-secret.ts'
import { ACCESS_TOKEN_TYPE, openTokenKey, rotateTokenKey, TOKEN_ALGORITHM } from './token-key.ts'
import { disableTokenKey, listTokenKeys } from './token-key-store.ts'

/** The wall time within which a disabled client or partner is rejected. */
const DISABLED_WITHIN_SECONDS = 5

let gateway: TestGateway
let token: string
beforeAll(async () => {
  gateway = await startTestGateway()
  token = await gateway.token()
})
afterAll(() => gateway.close())

const PATIENCE_SECONDS = 30
const UNKNOWN_KEY = /signed with a key unknown to this environment/
const ALTERED = /changed or is incomplete/

const callWith = (bearer: string) =>
  sendRawRequest(gateway, ['GET', '/api/companies'], { headers: { authorization: `Bearer ${bearer}` } })
const seconds = () => Math.floor(gateway.context.clock.real().epochMilliseconds / 1000)
const soundClaims = () => ({
  iss: gateway.config.authUrl,
  aud: scopesByEnvironment.sandbox,
  sub: 'demo-partner',
  secret_number: 1,
  iat: seconds(),
  exp: seconds() + 60,
})

/** Signs with the gateway's own key, as if the gateway had issued a token with these claims. */
async function signed(changes: JWTPayload, header: { kid?: string; typ?: string } = {}, without = ''): Promise<string> {
  const [stored] = await listTokenKeys(gateway.context.database)
  if (stored === undefined) {
    throw new Error('There is no key')
  }
  const { kid, privateKey } = await openTokenKey(gateway.context, stored)
  const claims: JWTPayload = { ...soundClaims(), ...changes }
  Reflect.deleteProperty(claims, without)
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: ACCESS_TOKEN_TYPE, ...header })
    .sign(privateKey)
}

/** The challenge names the error and says the same as the message of the body. */
async function expectRejected(bearer: string, reported: RegExp, code = expect.stringMatching(/^Token/)): Promise<void> {
  const { status, headers, body } = await callWith(bearer)
  expect(status).toBe(401)
  const { message, error_uri: docs } = Object(body)
  expect(body).toEqual({
    svcRequestId: headers.get('svc-request-id'),
    message: expect.stringMatching(reported),
    error: 'invalid_token',
    error_description: message,
    error_uri: `${gateway.config.baseUrl}/docs/errors#${Object(body).code}`,
    code,
    errors: [{ code, path: '.', message, docs }],
  })
  const challenge = `Bearer realm="Havn", error="invalid_token", error_description="${message}", error_uri="${docs}"`
  expect(headers.get('www-authenticate')).toBe(challenge)
}

/** Lets wall time pass until a token is rejected, and returns the seconds; ends beyond what any test permits. */
async function secondsUntilRejected(bearer: string): Promise<number> {
  const { clock } = gateway.context
  const begun = clock.real()
  const passed = () => clock.real().since(begun).total('seconds')
  while ((await callWith(bearer)).status !== 401 && passed() < PATIENCE_SECONDS) {
    gateway.passWallTime(0.25)
  }
  return passed()
}

test('a token that the gateway’s own key has signed is accepted', async () => {
  expect((await callWith(await signed({}))).status).toBe(200)
})

describe('a token signed by our own key is rejected', () => {
  test.each<[string, string, () => JWTPayload, RegExp]>([
    ['of another issuer', 'TokenIssuerWrong', () => ({ iss: 'https://auth.example' }), /another authorisation server/],
    ['for production', 'TokenAudienceWrong', () => ({ aud: scopesByEnvironment.production }), /another environment/],
    ['that has expired', 'TokenExpired', () => ({ exp: seconds() - 1 }), /expired/],
    ['that is not valid yet', 'TokenNotYetValid', () => ({ nbf: seconds() + 60 }), /not valid yet/],
    ['of an unknown client', 'TokenRevoked', () => ({ sub: 'nobody' }), /client .* disabled/],
    ['of a client named like an object property', 'TokenRevoked', () => ({ sub: 'constructor' }), /client .* disabled/],
  ])('%s: %s', async (_what, code, changes, reported) => {
    await expectRejected(await signed(changes()), reported, code)
  })

  test.each(['iss', 'aud', 'exp', 'sub'])('without %s', async (claim) => {
    await expectRejected(await signed({}, {}, claim), new RegExp(`no claim ${claim}`))
  })
})

describe('a forged token is rejected', () => {
  test('that is not signed: alg none', async () => {
    const unsigned = new UnsecuredJWT(soundClaims()).encode()
    await expectRejected(unsigned, /not a signed JWT/, 'TokenMalformed')
    await expectRejected(`${unsigned}AA`, UNKNOWN_KEY)
  })

  test('of another key under our key’s id', async () => {
    const [stored] = await listTokenKeys(gateway.context.database)
    const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM)
    const header = { alg: TOKEN_ALGORITHM, kid: stored?.kid ?? '' }
    await expectRejected(
      await new SignJWT(soundClaims()).setProtectedHeader(header).sign(privateKey),
      ALTERED,
      'TokenSignatureInvalid',
    )
  })

  test('that contains its own key', async () => {
    const { privateKey, publicKey } = await generateKeyPair(TOKEN_ALGORITHM)
    const header = { alg: TOKEN_ALGORITHM, jwk: await exportJWK(publicKey) }
    await expectRejected(await new SignJWT(soundClaims()).setProtectedHeader(header).sign(privateKey), ALTERED)
  })

  test('signed with our public key as an HMAC secret', async () => {
    const { keys } = await gateway.client.getKeys()
    const [key] = keys
    const secret = await importJWK({ kty: 'oct', k: key?.x ?? '' }, 'HS256')
    const header = { alg: 'HS256', kid: key?.kid ?? '' }
    await expectRejected(await new SignJWT(soundClaims()).setProtectedHeader(header).sign(secret), UNKNOWN_KEY)
  })

  test('of an unknown key', async () => {
    await expectRejected(await signed({}, { kid: 'unknown' }), UNKNOWN_KEY, 'TokenKeyUnknown')
  })

  test('that is a JWT of another type, though signed with our key', async () => {
    expect((await callWith(await signed({}))).status).toBe(200)
    for (const typ of ['JWT', 'logout+jwt', '']) {
      await expectRejected(await signed({}, { typ }), /another type than at\+jwt/, 'TokenClaimInvalid')
    }
  })

  test('altered in one of its three parts', async () => {
    expect((await callWith(token)).status).toBe(200)
    const parts = token.split('.')
    for (const n of parts.keys()) {
      const altered = parts.map((part, at) => (at === n ? `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}` : part))
      await expectRejected(altered.join('.'), /signature|decoded|key/)
    }
  })

  test('that is truncated', async () => {
    await expectRejected(token.split('.').slice(0, 2).join('.'), /not a signed JWT/)
    await expectRejected(token.slice(0, -4), ALTERED)
  })
})

describe('a token that was valid before is rejected', () => {
  test('once it has expired by wall-clock time, also from the cache', async () => {
    const shortLived = await signed({ exp: seconds() + 2 })
    expect((await callWith(shortLived)).status).toBe(200)
    expect(await secondsUntilRejected(shortLived)).toBeLessThanOrEqual(2.5)
  })

  test('by wall-clock time only: moving the business clock does not expire it', async () => {
    gateway.context.clock.setOffset(7_200_000)
    expect((await callWith(token)).status).toBe(200)
    gateway.context.clock.setOffset(0)
  })

  test(`within ${DISABLED_WITHIN_SECONDS} s after its client or its partner was disabled; other tokens stay valid`, async () => {
    const { context } = gateway
    const partner = await createPartner(context, 'test', { name: 'To be disabled' })
    const clientIds = [partner.credentials.clientId, (await gateway.otherPartner()).credentials.clientId] as const
    const tokens = await Promise.all(clientIds.map((sub) => signed({ sub })))
    for (const bearer of tokens) {
      expect((await callWith(bearer)).status).toBe(200)
    }
    await revokePartnerAccess(context, 'test', partner.partner)
    await revokeClientAccess(context, 'test', clientIds[1])
    for (const seconds of await Promise.all(tokens.map(secondsUntilRejected))) {
      expect(seconds).toBeLessThanOrEqual(DISABLED_WITHIN_SECONDS)
    }
    expect((await callWith(token)).status).toBe(200)
  })

  test(`within ${DISABLED_WITHIN_SECONDS} s after the secret that it was issued for was revoked; the client keeps its new one`, async () => {
    const { context } = gateway
    const { clientId } = (await createPartner(context, 'test', { name: 'Rotates' })).credentials
    const [former, current] = [await signed({ sub: clientId }), await signed({ sub: clientId, secret_number: 2 })]
    expect((await callWith(former)).status).toBe(200)
    await expectRejected(current, /its secret or the key is disabled/)
    await rotateClientSecret(context, 'test', clientId, 1)
    expect([(await callWith(current)).status, (await callWith(former)).status]).toEqual([200, 200])
    await revokeFormerSecret(context, 'test', clientId)
    expect(await secondsUntilRejected(former)).toBeLessThanOrEqual(DISABLED_WITHIN_SECONDS)
    expect((await callWith(current)).status).toBe(200)
  })

  test(`within ${DISABLED_WITHIN_SECONDS} s after its key was disabled; a key that was only replaced stays valid`, async () => {
    const { context } = gateway
    const [first] = await listTokenKeys(context.database)
    await rotateTokenKey(context, context.seal)
    const fresh = await signed({})
    expect((await callWith(fresh)).status).toBe(200)
    expect((await callWith(token)).status).toBe(200)
    await disableTokenKey(context.database, first?.kid ?? '', context.clock.real())
    // The clock of the machine may be put back meanwhile.
    gateway.passWallTime(-600)
    expect(await secondsUntilRejected(token)).toBeLessThanOrEqual(DISABLED_WITHIN_SECONDS)
    expect((await callWith(fresh)).status).toBe(200)
  })
})
