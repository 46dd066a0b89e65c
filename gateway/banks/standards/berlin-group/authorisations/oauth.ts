/** Implements SCA and sign-in with OAuth 2.0 (RFC 6749) and PKCE (RFC 7636): authorisation URLs and token exchange. */
import { type Static, Type } from 'typebox'
import { CODE_VERIFIER_CHARACTERS_MIN, codeChallengeOf, newCodeVerifier } from '../../../../platform/crypto/pkce.ts'
import { responseParser } from '../../../../platform/http/response-parser.ts'
import { newToken } from '../../../../platform/ids.ts'
import type { Bank } from '../../../connector/bank.ts'
import { BankError } from '../../../connector/bank-error.ts'
import type { SignInProduct } from '../../../connector/connector.ts'
import type { AuthorisationCallback, BankTokens, ReturnUrls } from '../../../connector/sca-authorisation.ts'
import { dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { fetchServerMetadata, requestTokens, revokeOAuthToken, type ServerMetadata } from './oauth-tokens.ts'

/** The requested scope, and the URL of the server's metadata. */
type Grant = { readonly metadata: string; readonly scope: string; readonly back: ReturnUrls }

/** The values that the callback must match. */
const Secret = Type.Object({
  metadata: Type.String(),
  issuer: Type.String(),
  state: Type.String({ minLength: 1 }),
  verifier: Type.String({ minLength: CODE_VERIFIER_CHARACTERS_MIN }),
})
const readSecret = responseParser(Secret)

export function signInProduct(line: BankClient): SignInProduct {
  return {
    begin: async (bank, back) => {
      const { signIn } = dialectOf(bank.profile)
      if (signIn === undefined) {
        throw new BankError('misconfigured', `The profile of ${bank.name} has no settings for sign-in`)
      }
      const { metadata, scope } = signIn
      const at = URL.canParse(metadata) ? metadata : `${bank.address}/${metadata}`
      return await beginGrant(line, bank, { metadata: at, scope, back })
    },
    exchange: async (bank, brought) => await exchangeCode(line, bank, brought),
    /** Uses the server that issued the tokens, which may differ from the profile's. */
    refresh: async (bank, { server, refreshToken }) => {
      const found = await fetchServerMetadata(line, bank, server.metadata)
      if (found.issuer !== server.issuer) {
        throw new BankError('misconfigured', 'The metadata of the authorisation server now names another issuer')
      }
      const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: line.clientId(bank) }
      const tokens = await requestTokens(line, bank, found, parameters)
      if (tokens === null) {
        throw new BankError('token-invalid', 'The bank does not refresh its access token any more')
      }
      // Without a new refresh token the old one stays valid.
      return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken, server }
    },
    /** Revoking the refresh token ends the grant; without one only the access token can be revoked. */
    revokeGrant: async (bank, { server, refreshToken, accessToken }) => {
      const found = await fetchServerMetadata(line, bank, server.metadata)
      const [token, hint] = refreshToken === null ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token']
      const parameters = { token, token_type_hint: hint, client_id: line.clientId(bank) }
      return found.issuer === server.issuer && (await revokeOAuthToken(line, bank, found, parameters))
    },
  }
}

/** The authorisation URL for the browser. */
export async function beginGrant(
  line: BankClient,
  bank: Bank,
  { metadata, scope, back }: Grant,
): Promise<{ url: string; returnSecret: string }> {
  const server = await fetchServerMetadata(line, bank, metadata)
  const secret: Static<typeof Secret> = {
    metadata,
    issuer: server.issuer,
    state: newToken(),
    verifier: newCodeVerifier(),
  }
  const url = new URL(server.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: line.clientId(bank),
    scope,
    state: secret.state,
    redirect_uri: back.success,
    code_challenge: codeChallengeOf(secret.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value)
  }
  return { url: url.href, returnSecret: JSON.stringify(secret) }
}

/** The result of a callback: null when its state is of another flow, even for an error. */
export async function exchangeCode(
  line: BankClient,
  bank: Bank,
  brought: AuthorisationCallback,
): Promise<BankTokens | 'denied' | null> {
  const { query, returnSecret, back } = brought
  const secret = returnSecret === null ? undefined : readSecret(returnSecret)
  const { code, state, iss, error } = query
  const isOurs = secret !== undefined && state === secret.state && (iss === undefined || iss === secret.issuer)
  if (isOurs && error === 'access_denied') {
    return 'denied'
  }
  if (!isOurs || code === undefined) {
    return null
  }
  const server: ServerMetadata = await fetchServerMetadata(line, bank, secret.metadata)
  const parameters = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: back.success,
    code_verifier: secret.verifier,
  }
  const tokens = await requestTokens(line, bank, server, { ...parameters, client_id: line.clientId(bank) })
  return tokens && { ...tokens, server: { metadata: secret.metadata, issuer: secret.issuer } }
}
