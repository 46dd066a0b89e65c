/** Runs the authorisation code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1) at one provider. */
import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  type IDToken,
  ResponseBodyError,
} from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { codeChallengeOf, newCodeVerifier } from '../platform/crypto/pkce.ts'
import { IdentityProviderError, readClientError, safeErrorCode } from './identity-provider.ts'
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

/** Our registration at a provider. */
export type ProviderRegistration = { readonly clock: Pick<Clock, 'real'>; readonly redirectUri: string }

/** Opens a provider without calling it. */
export function openAuthorisationCodeFlow(
  provider: OpenIdClientSettings,
  { clock, redirectUri }: ProviderRegistration,
): AuthorisationCodeFlow {
  const discovery = openProviderDiscovery(provider, clock)
  return {
    begin: async ({ state, nonce }, parameters) => {
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
    },
    // A callback of another browser or another flow has no effect, not even if it declines.
    finish: async (query, { issuer, nonce, state, verifier }) => {
      const configuration = await discovery.configuration()
      const { authorization_response_iss_parameter_supported: namesIssuer = false } = configuration.serverMetadata()
      const { code, error, iss } = query
      // Checked here as well, because the library has one error for this and for an invalid token response.
      const isOurs = query['state'] === state && (iss === undefined ? !namesIssuer : iss === issuer)
      if (!isOurs || (code === undefined && error === undefined)) {
        return { outcome: 'foreign' }
      }
      if (error !== undefined) {
        return handleErrorResponse(provider, error)
      }
      const callback = new URL(`${redirectUri}?${new URLSearchParams(query)}`)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      try {
        const verified = await exchangeCode(provider, configuration, callback, checks)
        return verified === null
          ? { outcome: 'foreign' }
          : { outcome: 'verified', ...requireAccepted(provider, clock, verified) }
      } finally {
        discovery.storeKeys(configuration)
      }
    },
  }
}

function handleErrorResponse({ id }: OpenIdClientSettings, error: string): FlowResult {
  if (USER_DENIED_ERRORS.has(error)) {
    return { outcome: 'denied' }
  }
  throw new IdentityProviderError(
    TEMPORARY_ERRORS.has(error) ? 'unavailable' : 'misconfigured',
    `The identity provider ${id} returned the error ${safeErrorCode(error)}`,
  )
}

/** The library's code for a status other than 200 without an error of RFC 6749. */
const STATUS_ERROR = 'OAUTH_RESPONSE_IS_NOT_CONFORM'

type VerifiedIdToken = { readonly idToken: string; readonly claims: IDToken }

/**
 * Exchanges the code for an ID token, of which the library verifies issuer, audience, nonce and signature. Null when the
 * code is invalid or was used before. Throws `not-proven`, with nothing of the token in the message.
 */
async function exchangeCode(
  provider: OpenIdClientSettings,
  configuration: Configuration,
  callback: URL,
  checks: AuthorizationCodeGrantChecks,
): Promise<VerifiedIdToken | null> {
  try {
    const tokens = await authorizationCodeGrant(configuration, callback, checks)
    const [idToken, claims] = [tokens.id_token, tokens.claims()]
    if (idToken === undefined || claims === undefined || idToken.length > CHARACTERS_MAX) {
      throw invalidIdToken(provider, 'missing or too long')
    }
    return { idToken, claims }
  } catch (error) {
    const own = readClientError(error)
    if (own instanceof IdentityProviderError) {
      throw own
    }
    if (error instanceof ResponseBodyError || own === STATUS_ERROR) {
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
        return null
      }
      const reason = error instanceof ResponseBodyError ? `${error.status} ${safeErrorCode(error.error)}` : own
      const message = `The identity provider ${provider.id} rejected the code exchange: ${reason}`
      throw new IdentityProviderError('misconfigured', message)
    }
    // All other errors are those of a response for a code that is used up now.
    throw invalidIdToken(provider, `invalid (${own})`)
  }
}

/** Allowed difference between two machines' clocks. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Tokens are used at once; an older one was used before. */
const TOKEN_AGE_SECONDS_MAX = 600
/** Enough for a token with a certificate chain and evidence. */
const CHARACTERS_MAX = 100_000

/**
 * Verifies what the library leaves to us: the age of the token, who requested it, and our own settings. Throws
 * `not-proven`, with nothing of the token in the message.
 */
function requireAccepted(
  provider: OpenIdClientSettings,
  clock: Pick<Clock, 'real'>,
  verified: VerifiedIdToken,
): VerifiedIdToken {
  const { iat, azp, acr } = verified.claims
  const { acrAccepted, clientId } = provider
  const age = clock.real().epochMilliseconds / 1000 - iat
  if (age > TOKEN_AGE_SECONDS_MAX + CLOCK_TOLERANCE_SECONDS || age < -CLOCK_TOLERANCE_SECONDS) {
    throw invalidIdToken(provider, 'too old, or of the future')
  }
  if (azp !== undefined && azp !== clientId) {
    throw invalidIdToken(provider, 'issued to another client')
  }
  if (acrAccepted !== undefined && !acrAccepted.some((accepted) => accepted === acr)) {
    throw invalidIdToken(provider, 'of a level of assurance that is not accepted (acr)')
  }
  return verified
}

/** An error that says what is wrong with the token of a provider, and nothing of its content. */
function invalidIdToken({ id }: OpenIdClientSettings, what: string): IdentityProviderError {
  return new IdentityProviderError('not-proven', `The ID token of ${id} is ${what}`)
}
