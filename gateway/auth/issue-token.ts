/** Issues an access token to a partner's client by its credentials (RFC 6749, client credentials grant). */
import { SignJWT } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import type { Token, TokenRequest } from '../../contract/token.ts'
import type { Context } from '../context.ts'
import { recordFirstToken } from '../partners/client-store.ts'
import type { ClientCredential } from '../partners/partner.ts'
import { OAuthError } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { authenticateClient, readClientCredentials } from './authenticate-client.ts'
import { ACCESS_TOKEN_TYPE, openTokenKey, SECRET_CLAIM, TOKEN_ALGORITHM } from './token-key.ts'
import { listTokenKeys } from './token-key-store.ts'

/** How long a token is valid. */
const EXPIRES_IN_SECONDS = 3600

/** Credentials are accepted in the form or by HTTP Basic, not in both. */
export async function issueToken(
  context: Context,
  request: TokenRequest,
  authorization: string | undefined,
): Promise<Token> {
  const credentials = readClientCredentials(request, authorization)
  const { clientId } = credentials
  if (request.grant_type !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials')
  }
  const credential = await authenticateClient(context, credentials)
  const scope = scopesByEnvironment[context.config.mode]
  if (request.scope !== scope) {
    throw new OAuthError('invalid_scope', `The scope must be ${scope}, that of this environment`)
  }
  const issuedAt = Math.floor(context.clock.real().epochMilliseconds / 1000)
  const seconds = lifetimeOf(credential, issuedAt)
  const access_token = await sign(context, { clientId, issuedAt, seconds, secret: credential.number })
  if (!credential.hasToken) {
    await recordFirstToken(context.database, clientId, context.clock.real())
  }
  return { token_type: 'Bearer', expires_in: seconds, ext_expires_in: seconds, access_token }
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

async function sign(context: Context, { clientId, issuedAt, seconds, secret }: Grant): Promise<string> {
  // Not a cached one, which may have been disabled since: the token would be rejected as soon as it is used.
  const signingKey = (await listTokenKeys(context.database)).find(({ retiredAt }) => retiredAt === null)
  if (signingKey === undefined) {
    throw new Error('There is no active key to sign access tokens with')
  }
  const { privateKey } = await openTokenKey(context, signingKey)
  // The claims of RFC 9068, 2.2; client_id equals sub, because the token has no user.
  return await new SignJWT({ client_id: clientId, [SECRET_CLAIM]: secret })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: signingKey.kid, typ: ACCESS_TOKEN_TYPE })
    .setIssuer(context.config.authUrl)
    .setAudience(scopesByEnvironment[context.config.mode])
    .setSubject(clientId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(privateKey)
}
