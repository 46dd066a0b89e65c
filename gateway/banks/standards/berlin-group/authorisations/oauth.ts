/** Signing and signing in by OAuth 2.0 (RFC 6749) with PKCE (RFC 7636): where the browser goes, and the tokens it is worth. */
import { type Static, Type } from 'typebox'
import { challengeOf, newVerifier, VERIFIER_CHARACTERS_MIN } from '../../../../foundation/pkce.ts'
import { reader } from '../../../../platform/http/response-parser.ts'
import { newToken } from '../../../../platform/ids.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { SignInProduct } from '../../../connector/connector.ts'
import type {
  BankTokens,
  BroughtBack,
  EndableTokens,
  RenewableTokens,
  ReturnAddresses,
} from '../../../connector/sca-authorisation.ts'
import type { Bank } from '../../../directory/bank.ts'
import { dialectOf } from '../dialect.ts'
import type { Line } from '../transport/bank-client.ts'
import { metadataAt, type ServerMetadata } from './oauth-metadata.ts'
import { redeem, revoke } from './oauth-tokens.ts'

/** What is asked for, and where the server's description is. */
type Grant = { readonly metadata: string; readonly scope: string; readonly back: ReturnAddresses }

/** What the browser must come back to. */
const Secret = Type.Object({
  metadata: Type.String(),
  issuer: Type.String(),
  state: Type.String({ minLength: 1 }),
  verifier: Type.String({ minLength: VERIFIER_CHARACTERS_MIN }),
})
const readSecret = reader(Secret)

/** The product of banks with an authorisation server; users sign in where the profile says so. */
export function signInProduct(line: Line): SignInProduct {
  return {
    begin: async (bank, back) => await beginGrant(line, bank, { ...signInAt(bank), back }),
    exchange: async (bank, brought) => await exchangeCode(line, bank, brought),
    refresh: async (bank, tokens) => await renew(line, bank, tokens),
    endGrant: async (bank, tokens) => await endGrant(line, bank, tokens),
  }
}

/** Asks the server that gave the tokens, which need not be one that the profile names. */
async function renew(line: Line, bank: Bank, { server, refreshToken }: RenewableTokens): Promise<BankTokens> {
  const found = await metadataAt(line, bank, server.metadata)
  if (found.issuer !== server.issuer) {
    throw new BankRefusal('misconfigured', 'The description of the authorisation server names another issuer by now')
  }
  const asked = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientIdAt(line, bank) }
  const tokens = await redeem(line, bank, found, asked)
  if (tokens === null) {
    throw new BankRefusal('token-invalid', 'The bank does not renew its access token any more')
  }
  // A server that gives no new refresh token leaves the old one in force.
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken, server }
}

/** The refresh token stands for the whole grant; without one, all there is to end is the access token. */
async function endGrant(line: Line, bank: Bank, tokens: EndableTokens): Promise<boolean> {
  const { server, refreshToken, accessToken } = tokens
  const found = await metadataAt(line, bank, server.metadata)
  if (found.issuer !== server.issuer) {
    return false
  }
  const [token, hint] = refreshToken === null ? [accessToken, 'access_token'] : [refreshToken, 'refresh_token']
  return await revoke(line, bank, found, { token, token_type_hint: hint, client_id: clientIdAt(line, bank) })
}

/** Where the browser goes to allow what is asked for. */
export async function beginGrant(
  line: Line,
  bank: Bank,
  { metadata, scope, back }: Grant,
): Promise<{ url: string; returnSecret: string }> {
  const server = await metadataAt(line, bank, metadata)
  const secret: Static<typeof Secret> = { metadata, issuer: server.issuer, state: newToken(), verifier: newVerifier() }
  const url = new URL(server.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: clientIdAt(line, bank),
    scope,
    state: secret.state,
    redirect_uri: back.success,
    code_challenge: challengeOf(secret.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value)
  }
  return { url: url.href, returnSecret: JSON.stringify(secret) }
}

/** What a returning browser is worth: nothing when it brings what another one began, not even a no. */
export async function exchangeCode(
  line: Line,
  bank: Bank,
  brought: BroughtBack,
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
  const server: ServerMetadata = await metadataAt(line, bank, secret.metadata)
  const asked = { grant_type: 'authorization_code', code, redirect_uri: back.success, code_verifier: secret.verifier }
  const tokens = await redeem(line, bank, server, { ...asked, client_id: clientIdAt(line, bank) })
  return tokens && { ...tokens, server: { metadata: secret.metadata, issuer: secret.issuer } }
}

function clientIdAt(line: Line, { profile }: Bank): string {
  return dialectOf(profile).clientId ?? line.clientId()
}

function signInAt({ name, address, profile }: Bank): { metadata: string; scope: string } {
  const { signIn } = dialectOf(profile)
  if (signIn === undefined) {
    throw new BankRefusal('misconfigured', `The profile of ${name} does not say where its users sign in`)
  }
  return {
    metadata: URL.canParse(signIn.metadata) ? signIn.metadata : `${address}/${signIn.metadata}`,
    scope: signIn.scope,
  }
}
