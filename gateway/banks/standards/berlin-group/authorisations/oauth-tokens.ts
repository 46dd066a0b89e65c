/** Asks an authorisation server for access and refresh tokens (RFC 6749, section 5), and to end them (RFC 7009). */
import { Type } from 'typebox'
import { reader } from '../../../../platform/http/response-parser.ts'
import { callBeside } from '../../../berlin-group/call-beside.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type { BankTokens } from '../../../connector/sca-authorisation.ts'
import type { Bank } from '../../../directory/bank.ts'
import type { Line } from '../transport/bank-client.ts'
import type { ServerMetadata } from './oauth-metadata.ts'

/** Servers should say how long a token lives; one that does not is taken to give little. */
const SECONDS_UNLESS_TOLD = 300
/** No token lives for more than a year: what a server says beyond that is a slip, or milliseconds. */
const SECONDS_MAX = 366 * 24 * 3600

const Granted = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8000, pattern: '^[\\x21-\\x7e]+$' }),
  token_type: Type.String(),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String({ pattern: '^[0-9]{1,10}$' })])),
  refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })),
})
const readGranted = reader(Granted)
const readError = reader(Type.Object({ error: Type.String() }))

/** The tokens; null when what was shown for them is worth nothing (any more). */
export async function redeem(
  line: Line,
  bank: Bank,
  server: ServerMetadata,
  asked: Readonly<Record<string, string>>,
): Promise<Omit<BankTokens, 'server'> | null> {
  const response = await callBeside(line, bank, {
    operation: 'requestToken',
    method: 'POST',
    url: server.token_endpoint,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(asked).toString(),
  })
  const granted = response.status === 200 ? readGranted(response.body) : undefined
  if (granted !== undefined && granted.token_type.toLowerCase() === 'bearer') {
    const seconds = Math.min(Math.max(Math.floor(Number(granted.expires_in ?? SECONDS_UNLESS_TOLD)), 0), SECONDS_MAX)
    const { access_token: accessToken, refresh_token: refreshToken = null } = granted
    return { accessToken, refreshToken, expiresAt: line.now().add({ seconds }) }
  }
  const error = errorOf(response)
  if (error === 'invalid_grant' && response.status < 500) {
    return null
  }
  throw refusalOfServer(response, error)
}

/** Ends a grant by one of its tokens (RFC 7009); false where the server offers no such thing. One that is worth nothing any more has ended. */
export async function revoke(
  line: Line,
  bank: Bank,
  { revocation_endpoint: url }: ServerMetadata,
  asked: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (url === undefined) {
    return false
  }
  const response = await callBeside(line, bank, {
    operation: 'revokeToken',
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(asked).toString(),
  })
  const error = errorOf(response)
  if (response.status === 200 || error === 'unsupported_token_type') {
    return response.status === 200
  }
  throw refusalOfServer(response, error)
}

function errorOf({ body }: BankResponse): string | undefined {
  return readError(body)?.error
}

/** The answer itself is not told: it may hold a token. */
function refusalOfServer({ status }: BankResponse, error = ''): BankRefusal {
  const isPassing = status >= 500 || status === 429
  const word = /^[a-z_]{1,50}$/.test(error) ? error : ''
  const text = `The bank's authorisation server answered ${status} ${word}`.trim()
  return new BankRefusal(isPassing ? 'unavailable' : 'misconfigured', text)
}
