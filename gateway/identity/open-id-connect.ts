/** Identifies persons by OpenID Connect: authorisation code flow with PKCE, state and nonce. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { CODE_VERIFIER_CHARACTERS_MIN, codeChallengeOf, newCodeVerifier } from '../platform/crypto/pkce.ts'
import { newToken } from '../platform/ids.ts'
import { callIdentityProvider, type IdentityProviderResponse } from './call-identity-provider.ts'
import { authenticateClient } from './client-authentication.ts'
import type {
  Identification,
  IdentificationCallback,
  IdentificationRequest,
  IdentityProvider,
} from './identity-provider.ts'
import { IdentityProviderError } from './identity-provider-error.ts'
import { encodeReturnState } from './oauth-return-state.ts'
import { personFromClaims } from './person-from-claims.ts'
import { openProviderDiscovery, type ProviderDiscovery } from './provider-discovery.ts'
import { readIdToken } from './read-id-token.ts'

/** What the callback is verified against. */
const Secret = Type.Object({
  issuer: Type.String(),
  countryCode: Type.String(),
  state: Type.String({ minLength: 1 }),
  nonce: Type.String({ minLength: 1 }),
  verifier: Type.String({ minLength: CODE_VERIFIER_CHARACTERS_MIN }),
})
type Secret = Static<typeof Secret>

const secretShape = Compile(Secret)
const grantedShape = Compile(Type.Object({ id_token: Type.String({ minLength: 1 }) }))
const errorShape = Compile(Type.Object({ error: Type.String() }))

/**
 * Errors for a user who declined (OpenID Connect Core 1.0, 3.1.2.6; the last three where the user leaves in between).
 */
const USER_DENIED_ERRORS: ReadonlySet<string> = new Set([
  'access_denied',
  'interaction_required',
  'login_required',
  'consent_required',
])
const TEMPORARY_ERRORS: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

type ClientContext = { readonly clock: Pick<Clock, 'real'>; readonly redirectUri: string }
type ProviderContext = ClientContext & {
  readonly provider: IdentityProviderSettings
  readonly discovery: ProviderDiscovery
}

/** Opens a provider without calling it. `redirectUri` is the one registered there. */
export function openIdConnect(provider: IdentityProviderSettings, clientContext: ClientContext): IdentityProvider {
  const context: ProviderContext = {
    ...clientContext,
    provider,
    discovery: openProviderDiscovery(provider, clientContext.clock),
  }
  return {
    id: provider.id,
    name: provider.name,
    begin: (request) => begin(context, request),
    finish: (callback) => finish(context, callback),
  }
}

async function begin({ provider, discovery, redirectUri }: ProviderContext, request: IdentificationRequest) {
  const metadata = await discovery.metadata()
  const secret: Secret = {
    issuer: metadata.issuer,
    countryCode: request.countryCode,
    state: encodeReturnState(request.back),
    // The provider signs the nonce, and with it the hash of what was shown.
    nonce: request.documentHash === null ? newToken() : `${newToken()}.${request.documentHash}`,
    verifier: newCodeVerifier(),
  }
  const url = new URL(metadata.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scope ?? 'openid profile',
    state: secret.state,
    nonce: secret.nonce,
    code_challenge: codeChallengeOf(secret.verifier),
    code_challenge_method: 'S256',
    // A previous user's session must not sign for the current user.
    prompt: 'login',
    ui_locales: request.language,
    ...(provider.acrValues === undefined ? {} : { acr_values: provider.acrValues.join(' ') }),
    ...signingText(provider, request.text),
  }
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value)
  }
  return { url: url.href, secret: JSON.stringify(secret) }
}

function signingText({ signingText: setting }: IdentityProviderSettings, text: string | null): Record<string, string> {
  if (setting === undefined || text === null) {
    return {}
  }
  const base64 = Buffer.from(text).toString('base64')
  return { [setting.parameter]: setting.value.replaceAll('{base64}', () => base64).replaceAll('{text}', () => text) }
}

/** A callback of another browser or another identification has no effect, not even if it declines. */
async function finish(
  context: ProviderContext,
  { query, secret: stored }: IdentificationCallback,
): Promise<Identification> {
  const secret = readSecret(stored)
  const { code, error, iss, state } = query
  const { namesIssuer } = await context.discovery.metadata()
  const isOurs = state === secret.state && (iss === undefined ? !namesIssuer : iss === secret.issuer)
  if (!isOurs) {
    return { outcome: 'foreign' }
  }
  if (error !== undefined) {
    return handleErrorResponse(context, error)
  }
  const idToken = code === undefined ? null : await exchangeCode(context, code, secret)
  if (idToken === null) {
    return { outcome: 'foreign' }
  }
  const claims = await readIdToken(context.provider, context, { idToken, nonce: secret.nonce })
  return { outcome: 'identified', person: personFromClaims(context.provider, claims, secret.countryCode), idToken }
}

function handleErrorResponse({ provider }: ProviderContext, error: string): Identification {
  if (USER_DENIED_ERRORS.has(error)) {
    return { outcome: 'denied' }
  }
  const isTemporary = TEMPORARY_ERRORS.has(error)
  throw new IdentityProviderError(
    isTemporary ? 'unavailable' : 'misconfigured',
    `The identity provider ${provider.id} returned the error ${safeErrorCode(error)}`,
  )
}

/** The ID token for a code; null when the code is invalid or was used before. */
async function exchangeCode(
  { clock, provider, discovery, redirectUri }: ProviderContext,
  code: string,
  { verifier }: Secret,
): Promise<string | null> {
  const { token_endpoint: endpoint } = await discovery.metadata()
  const proof = await authenticateClient(provider, endpoint, clock)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: provider.clientId,
    code_verifier: verifier,
    ...proof.form,
  }
  const response = await callIdentityProvider(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...proof.headers },
    body: new URLSearchParams(form).toString(),
  })
  if (response.status === 200 && grantedShape.Check(response.body)) {
    return response.body.id_token
  }
  const error = errorOf(response)
  if (error === 'invalid_grant' && response.status < 500) {
    return null
  }
  const isTemporary = response.status >= 500 || response.status === 429
  // The response itself is not reported: it may contain a token.
  throw new IdentityProviderError(
    isTemporary ? 'unavailable' : 'misconfigured',
    `The identity provider ${provider.id} rejected the code exchange: ${response.status} ${safeErrorCode(error)}`,
  )
}

function errorOf({ body }: IdentityProviderResponse): string {
  return errorShape.Check(body) ? body.error : ''
}

function safeErrorCode(error: string): string {
  return /^[a-z_]{1,50}$/.test(error) ? error : 'a non-standard code'
}

function readSecret(stored: string): Secret {
  const secret: unknown = JSON.parse(stored)
  if (!secretShape.Check(secret)) {
    throw new Error('The stored secret of an identification is invalid')
  }
  return secret
}
