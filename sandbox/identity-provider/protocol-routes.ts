/** Serves the endpoints that clients call: metadata, keys and token endpoint of each eID. */
import type { FastifyInstance } from 'fastify'
import { EIDS, type Eid } from './eids.ts'
import type { ProviderState } from './provider-state.ts'
import { exchangeCode } from './token-endpoint.ts'

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
