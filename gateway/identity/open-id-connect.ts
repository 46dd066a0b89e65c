/** Identifies persons by OpenID Connect: authorisation code flow with PKCE, state and nonce. */
import { buildAuthorizationUrl } from 'openid-client'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { CODE_VERIFIER_CHARACTERS_MIN, codeChallengeOf, newCodeVerifier } from '../platform/crypto/pkce.ts'
import { newToken } from '../platform/ids.ts'
import { exchangeCode, type ProviderContext } from './exchange-code.ts'
import type {
  Identification,
  IdentificationCallback,
  IdentificationRequest,
  IdentityProvider,
} from './identity-provider.ts'
import { IdentityProviderError, safeErrorCode } from './identity-provider-error.ts'
import { encodeReturnState } from './oauth-return-state.ts'
import { personFromClaims } from './person-from-claims.ts'
import { openProviderDiscovery } from './provider-discovery.ts'

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
export function openIdConnect(
  provider: IdentityProviderSettings,
  clientContext: Pick<ProviderContext, 'clock' | 'redirectUri'>,
): IdentityProvider {
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
  const secret: Secret = {
    issuer: provider.issuer,
    countryCode: request.countryCode,
    state: encodeReturnState(request.back),
    // The provider signs the nonce, and with it the hash of what was shown.
    nonce: request.documentHash === null ? newToken() : `${newToken()}.${request.documentHash}`,
    verifier: newCodeVerifier(),
  }
  const url = buildAuthorizationUrl(await discovery.configuration(), {
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
  })
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
  const { countryCode, issuer, nonce, state, verifier } = readSecret(stored)
  const configuration = await context.discovery.configuration()
  const { authorization_response_iss_parameter_supported: namesIssuer = false } = configuration.serverMetadata()
  const { code, error, iss } = query
  // Checked here as well, because the library has one error for this and for an invalid token response.
  const isOurs = query['state'] === state && (iss === undefined ? !namesIssuer : iss === issuer)
  if (!isOurs) {
    return { outcome: 'foreign' }
  }
  if (error !== undefined) {
    return handleErrorResponse(context, error)
  }
  const callback = new URL(`${context.redirectUri}?${new URLSearchParams(query)}`)
  const bound = { callback, expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
  const verified = code === undefined ? null : await exchangeCode(context, configuration, bound)
  return verified === null
    ? { outcome: 'foreign' }
    : {
        outcome: 'identified',
        person: personFromClaims(context.provider, verified.claims, countryCode),
        idToken: verified.idToken,
      }
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

function readSecret(stored: string): Secret {
  const secret: unknown = JSON.parse(stored)
  if (!secretShape.Check(secret)) {
    throw new Error('The stored secret of an identification is invalid')
  }
  return secret
}
