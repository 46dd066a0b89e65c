/** Checks the token endpoint: the client credentials grant, its errors, and the published keys. */
import { createPublicKey, verify, type webcrypto } from 'node:crypto'
import type { Check, CheckContext } from '../check.ts'
import { errorProblems, require, requireNone, requireStatus, valueAt } from '../expectations.ts'
import type { Answer } from '../http/exchange.ts'
import { tokenOf, tokenRequest } from '../subjects/tokens.ts'

type PublicKey = webcrypto.JsonWebKey & { readonly kid?: string }

const ERRORS = 'RFC 6749, section 5.2'

const issued = ({ call, target }: CheckContext) =>
  call('issueToken', { body: tokenRequest(target, target.credentials) })

/** A token request with some of its fields replaced. */
const requestWith = ({ call, target }: CheckContext, changes: Readonly<Record<string, string | undefined>>) => {
  const fields = Object.entries({ ...tokenRequest(target, target.credentials), ...changes })
  return call('issueToken', { body: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) })
}

/** The problems of an error of RFC 6749, which no cache may store. */
const oauthProblems = (answer: Answer, status: number, error: string): readonly string[] => [
  ...errorProblems(answer, status, error),
  ...(valueAt(answer.body, '.error') === error
    ? []
    : [`error must be ${error}, not ${String(valueAt(answer.body, '.error'))}`]),
]

const rejected = (
  id: string,
  title: string,
  { status, error, changes }: { status: number; error: string; changes: Readonly<Record<string, string | undefined>> },
): Check => ({
  id,
  title,
  rule: `The request is answered with ${status} and the error ${error} in the form of RFC 6749.`,
  reference: ERRORS,
  run: async (context) => requireNone(oauthProblems(await requestWith(context, changes), status, error)),
})

export const TOKEN_CHECKS: readonly Check[] = [
  {
    id: 'authentication-token-issued',
    title: 'A token is issued for client credentials',
    rule: 'The response has token_type Bearer, a positive expires_in, and access_token, and no cache may store it.',
    reference: 'RFC 6749, sections 4.4 and 5.1',
    run: async (context) => {
      const answer = await issued(context)
      requireStatus(answer, 200)
      const { token_type: type, expires_in: seconds, access_token: token } = Object(answer.body)
      const cache = answer.headers.get('cache-control') ?? 'no header'
      requireNone([
        type === 'Bearer' || `token_type must be Bearer, not ${String(type)}`,
        (Number.isInteger(seconds) && seconds > 0) || `expires_in must be a positive integer, not ${String(seconds)}`,
        (typeof token === 'string' && token !== '') || 'access_token is missing',
        /\bno-store\b/.test(cache) || `Cache-Control must be no-store, not ${cache}`,
      ])
    },
  },
  {
    id: 'authentication-token-basic',
    title: 'Credentials are accepted by HTTP Basic',
    rule: 'client_id and client_secret may be sent in the header Authorization instead of the form.',
    reference: 'RFC 6749, section 2.3.1',
    run: async (context) => {
      const { clientId, clientSecret } = context.target.credentials
      const { grant_type, scope } = tokenRequest(context.target, context.target.credentials)
      const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString(
        'base64',
      )
      const headers = { authorization: `Basic ${basic}` }
      requireStatus(await context.call('issueToken', { body: { grant_type, scope }, headers }), 200)
    },
  },
  {
    id: 'authentication-token-secret',
    title: 'A wrong secret is rejected',
    rule: 'The response is 401 with invalid_client, and WWW-Authenticate names the scheme Basic.',
    reference: ERRORS,
    run: async (context) => {
      const answer = await requestWith(context, { client_secret: 'not-the-secret' })
      const challenge = answer.headers.get('www-authenticate') ?? 'no header'
      requireNone([
        ...oauthProblems(answer, 401, 'invalid_client'),
        /^Basic\b/i.test(challenge) || `WWW-Authenticate must be Basic, not ${challenge}`,
      ])
    },
  },
  rejected('authentication-token-client', 'An unknown client is rejected', {
    status: 401,
    error: 'invalid_client',
    changes: { client_id: 'no-such-client' },
  }),
  rejected('authentication-token-grant', 'Another grant type is rejected', {
    status: 400,
    error: 'unsupported_grant_type',
    changes: { grant_type: 'password' },
  }),
  rejected('authentication-token-scope', 'Another scope is rejected', {
    status: 400,
    error: 'invalid_scope',
    changes: { scope: 'api://another/.default' },
  }),
  rejected('authentication-token-parameter', 'A request without grant_type is rejected', {
    status: 400,
    error: 'invalid_request',
    changes: { grant_type: undefined },
  }),
  {
    id: 'authentication-token-signature',
    title: 'Tokens are signed with a published key',
    rule: 'The key named by the token is in the key set, is public, and verifies the signature.',
    reference: 'API reference: getKeys; RFC 7517, RFC 7519',
    run: async (context) => {
      const token = tokenOf(await issued(context)) ?? ''
      const { keys } = await context.succeed('getKeys')
      requireNone(signatureProblems(token, keys as readonly PublicKey[]))
    },
  },
  {
    id: 'authentication-metadata',
    title: 'The metadata names the endpoints',
    rule: 'token_endpoint and jwks_uri are those of the authorisation server, and scopes_supported has its scope.',
    reference: 'RFC 8414',
    run: async (context) => {
      const { token_endpoint: endpoint, scopes_supported: scopes } = await context.succeed('getServerMetadata')
      require(new URL(endpoint).pathname.endsWith('/v2/connect/token'), `token_endpoint is ${endpoint}`)
      require(scopes.includes(context.target.scope), `scopes_supported lacks ${context.target.scope}`)
    },
  },
]

function signatureProblems(token: string, keys: readonly PublicKey[]): readonly string[] {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const { kid, alg } = Object(JSON.parse(Buffer.from(head, 'base64url').toString() || '{}'))
  const secret = keys.filter((key) => key.d !== undefined)
  if (secret.length > 0) {
    return ['The key set has a private key']
  }
  const key = keys.find((candidate) => candidate.kid === kid)
  if (key === undefined) {
    return [`The key set has no key ${String(kid)}, with which the token is signed`]
  }
  const digest = alg === 'EdDSA' ? null : 'sha256'
  const verifier = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const }
  const isValid = verify(digest, Buffer.from(`${head}.${payload}`), verifier, Buffer.from(signature, 'base64url'))
  return isValid ? [] : ['The signature of the token does not match the published key']
}
