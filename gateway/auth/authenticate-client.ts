/** Authenticates the client of a token request by its secret (RFC 6749, section 2.3). */
import { timingSafeEqual } from 'node:crypto'
import type { TokenRequest } from '../../contract/token.ts'
import type { Context } from '../context.ts'
import { findCredentials } from '../partners/client-store.ts'
import type { ClientCredential } from '../partners/partner.ts'
import { OAuthError } from '../platform/http/errors/api-error.ts'
import type { Exchange, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import { hashToken } from '../platform/ids.ts'
import type { CredentialCache } from './authenticate.ts'

/** The client id and secret of a request. */
type ClientCredentials = { readonly clientId: string; readonly secret: string }

const BASIC = /^Basic ([A-Za-z0-9+/=]+)$/i

/** Undefined when the header is absent or of another scheme. */
export function readBasicCredentials(authorization: string | undefined): ClientCredentials | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? []
  if (encoded === undefined) {
    return undefined
  }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s)
  return { clientId: formDecoded(id), secret: formDecoded(secret) }
}

/** HTTP Basic carries both parts form-encoded (RFC 6749, 2.3.1). */
function formDecoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}

/** Undefined for an unknown or disabled client. */
export async function findClientOfTokenRequest(
  credentialCache: CredentialCache,
  { request: { headers }, body }: Pick<Exchange, 'request' | 'body'>,
): Promise<PartnerIdentity | undefined> {
  const named = body instanceof URLSearchParams ? body.get('client_id') : null
  const clientId = readBasicCredentials(headers.authorization)?.clientId ?? named
  return clientId === null ? undefined : (await credentialCache.current()).clientsById.get(clientId)?.caller
}

/** From the form or from HTTP Basic. Throws `invalid_request` for none, and for both. */
export function readClientCredentials(
  { client_id, client_secret }: TokenRequest,
  authorization: string | undefined,
): ClientCredentials {
  const basic = readBasicCredentials(authorization)
  if (basic === undefined) {
    if (client_id === undefined || client_secret === undefined) {
      throw new OAuthError('invalid_request', 'client_id and client_secret are required, in the form or by HTTP Basic')
    }
    return { clientId: client_id, secret: client_secret }
  }
  // A parameter without a value counts as omitted (RFC 6749, 3.2).
  if (client_secret !== undefined && client_secret !== '') {
    throw new OAuthError('invalid_request', 'Send the credentials either in the form or by HTTP Basic, not both')
  }
  return basic
}

/** The client's matching secret. Throws `invalid_client`. Secrets are random, so their SHA-256 is compared, in constant time. */
export async function authenticateClient(
  { database, clock }: Context,
  { clientId, secret }: ClientCredentials,
): Promise<ClientCredential & { readonly hasToken: boolean }> {
  // PostgreSQL rejects text with U+0000, so no client id contains it.
  const client = clientId.includes('\0') ? undefined : await findCredentials(database, clientId)
  const given = Buffer.from(hashToken(secret))
  // An unknown client takes as long as a known one.
  const stored = client?.secrets ?? [{ hash: hashToken(''), number: 0, endsAt: null }]
  const matching = stored.filter(({ hash }) => timingSafeEqual(given, Buffer.from(hash)))
  if (client === undefined || matching.length === 0) {
    throw new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong')
  }
  // Only the holder of the secret learns more.
  const valid = matching.find(({ endsAt }) => endsAt === null || Temporal.Instant.compare(clock.real(), endsAt) < 0)
  if (valid === undefined) {
    throw new OAuthError('invalid_client', 'The secret has been rotated and is no longer valid: use the new one')
  }
  if (!client.enabled) {
    throw new OAuthError('invalid_client', 'The client, or its partner, has been disabled: ask the operator')
  }
  return { ...valid, hasToken: client.hasToken }
}
