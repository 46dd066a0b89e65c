/** Serves the endpoints that clients call: metadata, keys and token endpoint of each eID. */

import { verify } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { EIDS, type Eid } from './eids.ts'
import { writeIdToken } from './id-token.ts'
import type { ProviderState } from './provider-state.ts'

export function protocolRoutes(state: ProviderState, server: FastifyInstance): void {
  for (const eid of EIDS) {
    server.get(`/${eid.path}/.well-known/openid-configuration`, () => describe(state, eid))
    server.get(`/${eid.path}/jwks`, () => state.keys.published())
    server.post<{ Body: Record<string, string> | undefined }>(
      `/${eid.path}/token`,
      async ({ headers: { authorization }, body }, reply) => {
        const answer = exchangeCode(state, eid, { authorization, form: body ?? {} })
        return await reply.code(answer.status).send(answer.body)
      },
    )
  }
}

/** OpenID Connect Discovery 1.0, 3. */
function describe({ faults, url }: ProviderState, eid: Eid): object {
  const issuer = `${url}/${eid.path}`
  const isElsewhere = faults.strikes('elsewhere') !== undefined
  return {
    issuer,
    authorization_endpoint: isElsewhere ? 'https://elsewhere.example/authorize' : `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [eid.algorithm],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'profile', 'nin'],
    authorization_response_iss_parameter_supported: true,
  }
}

type TokenRequest = {
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string | undefined>>
}

type TokenAnswer = { readonly status: number; readonly body: object }

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Responses follow RFC 6749, 5. */
function exchangeCode(state: ProviderState, eid: Eid, requested: TokenRequest): TokenAnswer {
  if (!isClient(state, eid, requested)) {
    return { status: 401, body: { error: 'invalid_client' } }
  }
  const { grant_type: type, code, redirect_uri: redirectUri, code_verifier: verifier } = requested.form
  if (type !== 'authorization_code') {
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  }
  if (code === undefined || redirectUri === undefined || verifier === undefined) {
    return { status: 400, body: { error: 'invalid_request' } }
  }
  const grant = state.grants.redeem(code, { redirectUri, verifier, eid })
  if (grant === undefined) {
    return { status: 400, body: { error: 'invalid_grant' } }
  }
  const idToken = writeIdToken(state, grant)
  return { status: 200, body: { token_type: 'Bearer', access_token: 'none', expires_in: 60, id_token: idToken } }
}

/** Authenticates by its key once it has one, otherwise by its secret. */
function isClient({ client, clock, url }: ProviderState, eid: Eid, { authorization, form }: TokenRequest): boolean {
  if (client.publicKey === null) {
    const pair = `${client.id}:${client.secret}`
    return authorization === `Basic ${Buffer.from(pair).toString('base64')}`
  }
  const [header = '', payload = '', signature = ''] = (form['client_assertion'] ?? '').split('.')
  const isSigned = verify(
    client.publicKey.asymmetricKeyType === 'ed25519' ? null : 'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: client.publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const claims = isSigned ? Object(JSON.parse(Buffer.from(payload, 'base64url').toString())) : {}
  const isForUs = [claims.aud].flat().some((aud) => aud === `${url}/${eid.path}` || aud === `${url}/${eid.path}/token`)
  const isInTime = Number(claims.exp) * 1000 > clock.real().epochMilliseconds
  return form['client_assertion_type'] === ASSERTION_TYPE && claims.sub === client.id && isForUs && isInTime
}
