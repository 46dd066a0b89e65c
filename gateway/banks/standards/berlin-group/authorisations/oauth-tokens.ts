/** Requests tokens from an authorisation server (RFC 6749, section 5), and revokes them (RFC 7009). */
import { type Static, Type } from 'typebox'
import { tolerantResponseParser } from '../../../../platform/http/response-parser.ts'
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankError } from '../../../connector/bank-error.ts'
import { isOfKind } from '../../../connector/bank-error-classification.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type { BankTokens } from '../../../connector/sca-authorisation.ts'
import { requireLinkOrApiUrl, requireLinkUrl } from '../../../transport/bank-urls.ts'
import { type BankClient, sendUnsignedRequest } from '../transport/bank-client.ts'
import { bankErrorOf, laterCallsIn } from '../transport/bank-errors.ts'

/** Default lifetime where the server states none, or 0, and the token can be refreshed. */
const DEFAULT_TOKEN_SECONDS = 300
/**
 * Longer lifetimes are treated as an error of the server, such as milliseconds. So long is used, until the bank rejects it,
 * what has no stated end and cannot be refreshed.
 */
const SECONDS_MAX = 366 * 24 * 3600

const Granted = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8000, pattern: '^[\\x21-\\x7e]+$' }),
  token_type: Type.String(),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String({ pattern: '^[0-9]{1,10}$' })])),
  refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
})
/** In any case (RFC 6749, 5.1). The longer word is that of servers that run Apigee, which documents the deviation. */
const BEARER = /^bearer(token)?$/i
const readGranted = tolerantResponseParser(Granted)
/** The second field is that of servers that run Apigee, which name an invalid grant in words. */
const readError = tolerantResponseParser(
  Type.Object({ error: Type.Optional(Type.String()), Error: Type.Optional(Type.String()) }),
)
const INVALID_GRANT = /\b(authorization code|refresh token)\b/i

/** The tokens; null when the code or refresh token is invalid or expired. */
export async function requestTokens(
  line: BankClient,
  bank: Bank,
  server: ServerMetadata,
  parameters: Readonly<Record<string, string>>,
): Promise<Omit<BankTokens, 'server'> | null> {
  const form = formOf('requestToken', server.token_endpoint, parameters)
  const response = await sendUnsignedRequest(line, bank, form)
  const answer = { bank: bank.bic, operation: 'requestToken' }
  const report = (deviation: Deviation) => line.observeDeviations(answer, [deviation])
  const granted = response.status === 200 ? readGranted(response.body, report) : undefined
  if (granted !== undefined && BEARER.test(granted.token_type)) {
    const { access_token: accessToken, refresh_token: refreshToken = null } = granted
    const stated = Math.floor(Number(granted.expires_in))
    const unstated = refreshToken === null ? SECONDS_MAX : DEFAULT_TOKEN_SECONDS
    const seconds = stated > 0 ? Math.min(stated, SECONDS_MAX) : unstated
    return { accessToken, refreshToken, expiresAt: line.now().add({ seconds }) }
  }
  const error = errorOf(response)
  if (error === 'invalid_grant' && response.status < 500) {
    return null
  }
  throw authorisationServerError(response, error)
}

/** Revokes a grant by one of its tokens (RFC 7009); false where the server does not support it. Idempotent. */
export async function revokeOAuthToken(
  line: BankClient,
  bank: Bank,
  { revocation_endpoint: url }: ServerMetadata,
  parameters: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (url === undefined) {
    return false
  }
  const response = await sendUnsignedRequest(line, bank, formOf('revokeToken', url, parameters))
  const error = errorOf(response)
  if (response.status === 200 || error === 'unsupported_token_type') {
    return response.status === 200
  }
  throw authorisationServerError(response, error)
}

function formOf(operation: string, url: string, parameters: Readonly<Record<string, string>>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { operation, method: 'POST', url, headers, body: new URLSearchParams(parameters).toString() } as const
}

function errorOf({ body }: BankResponse): string | undefined {
  const { error, Error: text = '' } = readError(body) ?? {}
  return error ?? (INVALID_GRANT.test(text) ? 'invalid_grant' : undefined)
}

/** The error does not include the answer: it may contain a token. */
function authorisationServerError(response: BankResponse, error = ''): BankError {
  const { status } = response
  const isPassing = status >= 500 || status === 429
  const code = /^[a-z_]{1,50}$/.test(error) ? error : ''
  const text = `The bank's authorisation server answered ${status} ${code}`.trim()
  return new BankError(isPassing ? 'unavailable' : 'misconfigured', text).saying(laterCallsIn(response))
}

const Address = Type.String({ minLength: 1, maxLength: 2000 })
const Metadata = Type.Object({
  issuer: Address,
  authorization_endpoint: Address,
  token_endpoint: Address,
  revocation_endpoint: Type.Optional(Address),
  response_types_supported: Type.Optional(Type.Array(Type.String())),
  code_challenge_methods_supported: Type.Optional(Type.Array(Type.String())),
})
export type ServerMetadata = Pick<
  Static<typeof Metadata>,
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'revocation_endpoint'
>
const readMetadata = tolerantResponseParser(Metadata)

/** The second is that of OpenID Connect, under which many servers have the same document (RFC 8414, 5). */
const WELL_KNOWN = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const

/** The validated metadata at a URL of the bank. Throws `misconfigured` when it is invalid. */
export async function fetchServerMetadata(line: BankClient, bank: Bank, href: string): Promise<ServerMetadata> {
  const url = requireLinkOrApiUrl(bank, href)
  const response = await sendUnsignedRequest(line, bank, { operation: 'getAuthorisationServer', method: 'GET', url })
  if (response.status !== 200) {
    // No token is sent with this request: a rejection says nothing about those that are to be renewed.
    const error = bankErrorOf('authorisation', response)
    throw isOfKind(error, 'token-invalid') ? new BankError('misconfigured', error.message) : error
  }
  const answer = { bank: bank.bic, operation: 'getAuthorisationServer' }
  const metadata = readMetadata(response.body, (deviation) => line.observeDeviations(answer, [deviation]))
  const fault = metadata === undefined ? 'is not of the shape of RFC 8414' : faultOf(metadata, url)
  if (metadata === undefined || fault !== undefined) {
    throw new BankError('misconfigured', `The metadata of the bank's authorisation server ${fault}`)
  }
  const { revocation_endpoint: revocation } = metadata
  return {
    issuer: metadata.issuer,
    authorization_endpoint: requireLinkUrl(bank, metadata.authorization_endpoint),
    token_endpoint: requireLinkOrApiUrl(bank, metadata.token_endpoint),
    ...(revocation === undefined ? {} : { revocation_endpoint: requireLinkOrApiUrl(bank, revocation) }),
  }
}

function faultOf(metadata: Static<typeof Metadata>, url: string): string | undefined {
  const { issuer, response_types_supported: types, code_challenge_methods_supported: methods } = metadata
  if (!metadataUrlsOf(issuer).includes(url)) {
    return 'names an issuer whose description is elsewhere'
  }
  if (types?.includes('code') === false) {
    return 'offers no code grant'
  }
  return methods?.includes('S256') === true ? undefined : 'does not offer PKCE by S256'
}

/** Metadata URLs of an issuer: by the RFC the suffix precedes the path, at many servers it follows. */
function metadataUrlsOf(issuer: string): readonly string[] {
  const url = URL.parse(issuer)
  if (url === null || url.search !== '' || url.hash !== '') {
    return []
  }
  const path = url.pathname.replace(/\/$/, '')
  return WELL_KNOWN.flatMap((suffix) => [`${url.origin}${suffix}${path}`, `${url.origin}${path}${suffix}`])
}
