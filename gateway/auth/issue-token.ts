/** Issues an access token to a partner's client by its credentials (RFC 6749, client credentials grant). */
import { timingSafeEqual } from 'node:crypto'
import { SignJWT } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import type { Token, TokenRequest } from '../../contract/token.ts'
import type { Context } from '../context.ts'
import { OAuthError } from '../platform/http/errors/api-error.ts'
import { hashToken, newId } from '../platform/ids.ts'
import { type ClientCredentials, readBasicCredentials } from './basic-credentials.ts'
import type { CredentialCache } from './credential-cache.ts'
import { findCredentials } from './partner-store.ts'
import { TOKEN_ALGORITHM } from './token-key.ts'

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
  await requireClient(context, clientId, secret)
  const scope = scopesByEnvironment[context.config.mode]
  if (request.scope !== scope) {
    throw new OAuthError('invalid_scope', `The scope must be ${scope}, that of this environment`)
  }
  const access_token = await sign(context, credentialCache, clientId)
  return { token_type: 'Bearer', expires_in: EXPIRES_IN_SECONDS, ext_expires_in: EXPIRES_IN_SECONDS, access_token }
}

async function requireClient({ database }: Context, clientId: string, secret: string): Promise<void> {
  // PostgreSQL rejects text with U+0000, so no client id contains it.
  const credentials = clientId.includes('\0') ? undefined : await findCredentials(database, clientId)
  const expected = Buffer.from(credentials?.secretHash ?? hashToken(''))
  const isSecretValid = timingSafeEqual(Buffer.from(hashToken(secret)), expected)
  if (credentials?.enabled !== true || !isSecretValid) {
    throw new OAuthError('invalid_client', 'The client is unknown, its secret is wrong, or it is disabled')
  }
}

async function sign({ config, clock }: Context, credentialCache: CredentialCache, clientId: string): Promise<string> {
  const { signingKey } = await credentialCache.current()
  if (signingKey === undefined) {
    throw new Error('There is no active key to sign access tokens with')
  }
  const issuedAt = Math.floor(clock.real().epochMilliseconds / 1000)
  // The claims of RFC 9068, 2.2; client_id equals sub, because the token has no user.
  return await new SignJWT({ client_id: clientId })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: signingKey.kid, typ: 'at+jwt' })
    .setIssuer(config.authUrl)
    .setAudience(scopesByEnvironment[config.mode])
    .setSubject(clientId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + EXPIRES_IN_SECONDS)
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
