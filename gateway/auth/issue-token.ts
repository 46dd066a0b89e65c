/** Issues an access token to a partner's client that shows its credentials (RFC 6749, client credentials grant). */
import { timingSafeEqual } from 'node:crypto'
import { SignJWT } from 'jose'
import { scopesByEnvironment } from '../../contract/environments.ts'
import type { Token, TokenAsked } from '../../contract/token.ts'
import type { Context } from '../context.ts'
import { OAuthRefusal } from '../platform/http/errors/api-error.ts'
import { hashToken, newId } from '../platform/ids.ts'
import { type ClientCredentials, readBasicCredentials } from './basic-credentials.ts'
import type { Admission } from './credential-cache.ts'
import { findCredentials } from './partner-store.ts'
import { TOKEN_ALGORITHM } from './token-key.ts'

/** How long a token is valid. */
const EXPIRES_IN_SECONDS = 3600

/** Credentials may come in the form or by HTTP Basic, not in both. */
export async function issueToken(
  context: Context,
  admission: Admission,
  asked: TokenAsked,
  authorization: string | undefined,
): Promise<Token> {
  const { clientId, secret } = readCredentials(asked, authorization)
  if (asked.grant_type !== 'client_credentials') {
    throw new OAuthRefusal('unsupported_grant_type', 'grant_type must be client_credentials')
  }
  await requireClient(context, clientId, secret)
  const scope = scopesByEnvironment[context.config.mode]
  if (asked.scope !== scope) {
    throw new OAuthRefusal('invalid_scope', `The scope of this environment is ${scope}`)
  }
  const access_token = await sign(context, admission, clientId)
  return { token_type: 'Bearer', expires_in: EXPIRES_IN_SECONDS, ext_expires_in: EXPIRES_IN_SECONDS, access_token }
}

async function requireClient({ database }: Context, clientId: string, secret: string): Promise<void> {
  // PostgreSQL takes no text with U+0000, so no client is called so.
  const credentials = clientId.includes('\0') ? undefined : await findCredentials(database, clientId)
  const expected = Buffer.from(credentials?.secretHash ?? hashToken(''))
  const isRight = timingSafeEqual(Buffer.from(hashToken(secret)), expected)
  if (credentials?.enabled !== true || !isRight) {
    throw new OAuthRefusal('invalid_client', 'The client is unknown, its secret is wrong, or it is disabled')
  }
}

async function sign({ config, clock }: Context, admission: Admission, clientId: string): Promise<string> {
  const { signingKey } = await admission.current()
  if (signingKey === undefined) {
    throw new Error('There is no key to sign access tokens with')
  }
  const issuedAt = Math.floor(clock.real().epochMilliseconds / 1000)
  // The claims of RFC 9068, 2.2; client_id equals sub, as no user stands behind the token.
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
  { client_id, client_secret }: TokenAsked,
  authorization: string | undefined,
): ClientCredentials {
  const basic = readBasicCredentials(authorization)
  if (basic === undefined) {
    if (client_id === undefined || client_secret === undefined) {
      throw new OAuthRefusal(
        'invalid_request',
        'client_id and client_secret are required, in the form or by HTTP Basic',
      )
    }
    return { clientId: client_id, secret: client_secret }
  }
  if (client_secret !== undefined) {
    throw new OAuthRefusal('invalid_request', 'Send the credentials in the form or by HTTP Basic, not in both')
  }
  return basic
}
