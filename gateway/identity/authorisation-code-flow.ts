/** Runs the authorisation code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1) at one provider. */
import { buildAuthorizationUrl, type IDToken } from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { codeChallengeOf, newCodeVerifier } from '../platform/crypto/pkce.ts'
import { exchangeCode, type ProviderRegistration } from './exchange-code.ts'
import { IdentityProviderError, safeErrorCode } from './identity-provider.ts'
import { openProviderDiscovery } from './provider-discovery.ts'

/** What a callback is verified against; stored sealed until then. */
export type FlowSecret = {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type FlowResult =
  | { readonly outcome: 'verified'; readonly idToken: string; readonly claims: IDToken }
  /** The user declined or left. */
  | { readonly outcome: 'denied' }
  /** The callback belongs to another flow, or was used before: no effect. */
  | { readonly outcome: 'foreign' }

export type AuthorisationCodeFlow = {
  /** Returns the provider's URL for the browser. Throws `IdentityProviderError`. */
  begin(
    request: Pick<FlowSecret, 'state' | 'nonce'>,
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly secret: FlowSecret }>
  /** Throws `IdentityProviderError`; after `unavailable`, the same callback may be tried again. */
  finish(query: Readonly<Record<string, string>>, secret: FlowSecret): Promise<FlowResult>
}

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

/** Opens a provider without calling it. `redirectUri` is the one registered there. */
export function openAuthorisationCodeFlow(
  provider: OpenIdClientSettings,
  { clock, redirectUri }: { readonly clock: Pick<Clock, 'real'>; readonly redirectUri: string },
): AuthorisationCodeFlow {
  const registration: ProviderRegistration = {
    clock,
    redirectUri,
    provider,
    discovery: openProviderDiscovery(provider, clock),
  }
  return {
    begin: (request, parameters) => begin(registration, request, parameters),
    finish: (query, secret) => finish(registration, query, secret),
  }
}

async function begin(
  { provider, discovery, redirectUri }: ProviderRegistration,
  { state, nonce }: Pick<FlowSecret, 'state' | 'nonce'>,
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly secret: FlowSecret }> {
  const secret = { issuer: provider.issuer, state, nonce, verifier: newCodeVerifier() }
  const url = buildAuthorizationUrl(await discovery.configuration(), {
    redirect_uri: redirectUri,
    scope: provider.scope ?? 'openid profile',
    state,
    nonce,
    code_challenge: codeChallengeOf(secret.verifier),
    code_challenge_method: 'S256',
    ...(provider.acrValues === undefined ? {} : { acr_values: provider.acrValues.join(' ') }),
    ...parameters,
  })
  return { url: url.href, secret }
}

/** A callback of another browser or another flow has no effect, not even if it declines. */
async function finish(
  registration: ProviderRegistration,
  query: Readonly<Record<string, string>>,
  { issuer, nonce, state, verifier }: FlowSecret,
): Promise<FlowResult> {
  const configuration = await registration.discovery.configuration()
  const { authorization_response_iss_parameter_supported: namesIssuer = false } = configuration.serverMetadata()
  const { code, error, iss } = query
  // Checked here as well, because the library has one error for this and for an invalid token response.
  const isOurs = query['state'] === state && (iss === undefined ? !namesIssuer : iss === issuer)
  if (!isOurs) {
    return { outcome: 'foreign' }
  }
  if (error !== undefined) {
    return handleErrorResponse(registration, error)
  }
  const callback = new URL(`${registration.redirectUri}?${new URLSearchParams(query)}`)
  const bound = { callback, expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
  const verified = code === undefined ? null : await exchangeCode(registration, configuration, bound)
  return verified === null ? { outcome: 'foreign' } : { outcome: 'verified', ...verified }
}

function handleErrorResponse({ provider }: ProviderRegistration, error: string): FlowResult {
  if (USER_DENIED_ERRORS.has(error)) {
    return { outcome: 'denied' }
  }
  const isTemporary = TEMPORARY_ERRORS.has(error)
  throw new IdentityProviderError(
    isTemporary ? 'unavailable' : 'misconfigured',
    `The identity provider ${provider.id} returned the error ${safeErrorCode(error)}`,
  )
}
