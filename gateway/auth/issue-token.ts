/** Issues an access token to a partner's client by its credentials (RFC 6749, client credentials grant). */
import { timingSafeEqual } from 'node:crypto'
import { SignJWT } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import type { Token, TokenRequest } from '../../contract/token.ts'
import type { Context } from '../context.ts'
import { OAuthError } from '../platform/http/errors/api-error.ts'
import { hashToken, newId } from '../platform/ids.ts'
import { type ClientCredentials, readBasicCredentials } from './basic-credentials.ts'
import { findCredentials, recordFirstToken } from './client-store.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { ClientCredential } from './partner.ts'
import { SECRET_CLAIM, TOKEN_ALGORITHM } from './token-key.ts'

/** How long a token is valid. */
const EXPIRES_IN_SECONDS = 3600

/** Credentials are accepted in the form or by HTTP Basic, not in both. */
export async function issueToken(
  context: Context,
  credentialCache: CredentialCache,
  request: TokenRequest,
  authorization: string | undefined,
): Promise<Token> {
  const { clientId, secret } = readCredentials(request, authorization)
  if (request.grant_type !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials')
  }
  const credential = await requireCredential(context, clientId, secret)
  const scope = scopesByEnvironment[context.config.mode]
  if (request.scope !== scope) {
    throw new OAuthError('invalid_scope', `The scope must be ${scope}, that of this environment`)
  }
  const issuedAt = Math.floor(context.clock.real().epochMilliseconds / 1000)
  const seconds = lifetimeOf(credential, issuedAt)
  const access_token = await sign(context, credentialCache, { clientId, issuedAt, seconds, secret: credential.number })
  if (!credential.hasToken) {
    await recordFirstToken(context.database, clientId, context.clock.real())
  }
  return { token_type: 'Bearer', expires_in: seconds, ext_expires_in: seconds, access_token }
}

async function requireCredential(
  { database, clock }: Context,
  clientId: string,
  secret: string,
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

/** A token ends with the secret that it was issued for. */
function lifetimeOf({ endsAt }: ClientCredential, issuedAt: number): number {
  const untilEnd = endsAt === null ? EXPIRES_IN_SECONDS : Math.floor(endsAt.epochMilliseconds / 1000) - issuedAt
  return Math.min(EXPIRES_IN_SECONDS, untilEnd)
}

type Grant = {
  readonly clientId: string
  readonly issuedAt: number
  readonly seconds: number
  readonly secret: number
}

async function sign({ config }: Context, credentialCache: CredentialCache, grant: Grant): Promise<string> {
  const { clientId, issuedAt, seconds, secret } = grant
  const { signingKey } = await credentialCache.current()
  if (signingKey === undefined) {
    throw new Error('There is no active key to sign access tokens with')
  }
  // The claims of RFC 9068, 2.2; client_id equals sub, because the token has no user.
  return await new SignJWT({ client_id: clientId, [SECRET_CLAIM]: secret })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: signingKey.kid, typ: 'at+jwt' })
    .setIssuer(config.authUrl)
    .setAudience(scopesByEnvironment[config.mode])
    .setSubject(clientId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(signingKey.privateKey)
}

function readCredentials(
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
  if (client_secret !== undefined) {
    throw new OAuthError('invalid_request', 'Send the credentials either in the form or by HTTP Basic, not both')
  }
  return basic
}
