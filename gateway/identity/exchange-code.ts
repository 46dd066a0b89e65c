/** Exchanges an authorisation code for a verified ID token (OpenID Connect Core 1.0, 3.1.3). */
import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  type Configuration,
  ResponseBodyError,
} from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { IdentityProviderError, readClientError, safeErrorCode } from './identity-provider.ts'
import type { ProviderDiscovery } from './provider-discovery.ts'
import { invalidIdToken, type VerifiedIdToken, verifyIdToken } from './verify-id-token.ts'

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
