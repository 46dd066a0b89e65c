/** Exchanges an authorisation code for a verified ID token (OpenID Connect Core 1.0, 3.1.3); the library verifies issuer, audience, nonce and signature. */
import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  type Configuration,
  type IDToken,
  ResponseBodyError,
} from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { IdentityProviderError, readClientError, safeErrorCode } from './identity-provider.ts'
import type { ProviderDiscovery } from './provider-discovery.ts'

/** The library's code for a status other than 200 without an error of RFC 6749. */
const STATUS_ERROR = 'OAUTH_RESPONSE_IS_NOT_CONFORM'

/** A provider at which we are registered with `redirectUri`. */
export type ProviderRegistration = {
  readonly clock: Pick<Clock, 'real'>
  readonly redirectUri: string
  readonly provider: OpenIdClientSettings
  readonly discovery: ProviderDiscovery
}

/** The callback of a browser, and what its code is bound to. */
export type CodeExchange = { readonly callback: URL } & Required<
  Pick<AuthorizationCodeGrantChecks, 'expectedState' | 'expectedNonce' | 'pkceCodeVerifier'>
>

/** Null when the code is invalid or was used before. Throws `not-proven`, with nothing of the token in the message. */
export async function exchangeCode(
  registration: ProviderRegistration,
  configuration: Configuration,
  { callback, ...checks }: CodeExchange,
): Promise<VerifiedIdToken | null> {
  try {
    const tokens = await authorizationCodeGrant(configuration, callback, checks)
    return verifyIdToken(registration, tokens.id_token, tokens.claims())
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
      return null
    }
    throw exchangeError(registration, error)
  } finally {
    registration.discovery.storeKeys(configuration)
  }
}

function exchangeError(registration: ProviderRegistration, error: unknown): IdentityProviderError {
  const own = readClientError(error)
  if (own instanceof IdentityProviderError) {
    return own
  }
  const isRejected = error instanceof ResponseBodyError
  if (isRejected || own === STATUS_ERROR) {
    const reason = isRejected ? `${error.status} ${safeErrorCode(error.error)}` : own
    const message = `The identity provider ${registration.provider.id} rejected the code exchange: ${reason}`
    return new IdentityProviderError('misconfigured', message)
  }
  // All other errors are those of a response for a code that is used up now.
  return invalidIdToken(registration, `invalid (${own})`)
}

/** Allowed difference between two machines' clocks. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Tokens are used at once; an older one was used before. */
const TOKEN_AGE_SECONDS_MAX = 600
/** Enough for a token with a certificate chain and evidence. */
const CHARACTERS_MAX = 100_000

/** Who must have issued a token, and until when it is fresh. */
type TokenIssuance = { readonly clock: Pick<Clock, 'real'>; readonly provider: OpenIdClientSettings }

type VerifiedIdToken = { readonly idToken: string; readonly claims: IDToken }

/**
 * Verifies what the library leaves to us: the age of the token, who requested it, and our own settings. Throws
 * `not-proven`, with nothing of the token in the message.
 */
function verifyIdToken(
  issuance: TokenIssuance,
  idToken: string | undefined,
  claims: IDToken | undefined,
): VerifiedIdToken {
  if (idToken === undefined || claims === undefined || idToken.length > CHARACTERS_MAX) {
    throw invalidIdToken(issuance, 'missing or too long')
  }
  const { iat, azp, acr } = claims
  const { acrAccepted, clientId } = issuance.provider
  const age = issuance.clock.real().epochMilliseconds / 1000 - iat
  if (age > TOKEN_AGE_SECONDS_MAX + CLOCK_TOLERANCE_SECONDS || age < -CLOCK_TOLERANCE_SECONDS) {
    throw invalidIdToken(issuance, 'too old, or of the future')
  }
  if (azp !== undefined && azp !== clientId) {
    throw invalidIdToken(issuance, 'issued to another client')
  }
  if (acrAccepted !== undefined && !acrAccepted.some((accepted) => accepted === acr)) {
    throw invalidIdToken(issuance, 'of a level of assurance that is not accepted (acr)')
  }
  return { idToken, claims }
}

/** An error that says what is wrong with the token of a provider, and nothing of its content. */
function invalidIdToken({ provider: { id } }: Pick<TokenIssuance, 'provider'>, what: string): IdentityProviderError {
  return new IdentityProviderError('not-proven', `The ID token of ${id} is ${what}`)
}
