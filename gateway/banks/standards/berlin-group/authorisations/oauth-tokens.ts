/** Requests tokens from an authorisation server (RFC 6749, section 5), and revokes them (RFC 7009). */

import { Type } from 'typebox'
import { tolerantResponseParser } from '../../../../platform/http/response-parser.ts'
import type { Deviation } from '../../../../platform/http/tolerant-reader.ts'
import { BankError } from '../../../connector/bank-error.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type { BankTokens } from '../../../connector/sca-authorisation.ts'
import type { Bank } from '../../../directory/bank.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { laterCallsIn } from '../transport/bank-errors.ts'
import { sendUnsignedRequest } from '../transport/unsigned-request.ts'
import type { ServerMetadata } from './oauth-metadata.ts'

/** Default lifetime where the server does not send one. */
const DEFAULT_TOKEN_SECONDS = 300
/** Longer lifetimes are treated as an error of the server, such as milliseconds. */
const SECONDS_MAX = 366 * 24 * 3600

const Granted = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8000, pattern: '^[\\x21-\\x7e]+$' }),
  token_type: Type.String(),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String({ pattern: '^[0-9]{1,10}$' })])),
  refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
})
const readGranted = tolerantResponseParser(Granted)
const readError = tolerantResponseParser(Type.Object({ error: Type.String() }))

/** The tokens; null when the code or refresh token is invalid or expired. */
export async function requestTokens(
  line: BankClient,
  bank: Bank,
  server: ServerMetadata,
  parameters: Readonly<Record<string, string>>,
): Promise<Omit<BankTokens, 'server'> | null> {
  const response = await sendUnsignedRequest(line, bank, {
    operation: 'requestToken',
    method: 'POST',
    url: server.token_endpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  })
  const answer = { bank: bank.bic, operation: 'requestToken' }
  const report = (deviation: Deviation) => line.observeDeviations(answer, [deviation])
  const granted = response.status === 200 ? readGranted(response.body, report) : undefined
  if (granted !== undefined && granted.token_type.toLowerCase() === 'bearer') {
    const seconds = Math.min(Math.max(Math.floor(Number(granted.expires_in ?? DEFAULT_TOKEN_SECONDS)), 0), SECONDS_MAX)
    const { access_token: accessToken, refresh_token: refreshToken = null } = granted
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
  const response = await sendUnsignedRequest(line, bank, {
    operation: 'revokeToken',
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  })
  const error = errorOf(response)
  if (response.status === 200 || error === 'unsupported_token_type') {
    return response.status === 200
  }
  throw authorisationServerError(response, error)
}

function errorOf({ body }: BankResponse): string | undefined {
  return readError(body)?.error
}

/** The error does not include the answer: it may contain a token. */
function authorisationServerError(response: BankResponse, error = ''): BankError {
  const { status } = response
  const isPassing = status >= 500 || status === 429
  const code = /^[a-z_]{1,50}$/.test(error) ? error : ''
  const text = `The bank's authorisation server answered ${status} ${code}`.trim()
  return new BankError(isPassing ? 'unavailable' : 'misconfigured', text).saying(laterCallsIn(response))
}
