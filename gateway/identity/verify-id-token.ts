/** Verifies an ID token (OpenID Connect Core 1.0, 3.1.3.7) whose issuer, audience, nonce and signature the library has verified. */
import type { IDToken } from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { IdentityProviderError } from './identity-provider.ts'

/** Allowed difference between two machines' clocks. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Tokens are used at once; an older one was used before. */
const TOKEN_AGE_SECONDS_MAX = 600
/** Enough for a token with a certificate chain and evidence. */
const CHARACTERS_MAX = 100_000

/** Who must have issued a token, and until when it is fresh. */
type TokenIssuance = { readonly clock: Pick<Clock, 'real'>; readonly provider: OpenIdClientSettings }

export type VerifiedIdToken = { readonly idToken: string; readonly claims: IDToken }

/**
 * Verifies what the library leaves to us: the age of the token, who requested it, and our own settings. Throws
 * `not-proven`, with nothing of the token in the message.
 */
export function verifyIdToken(
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
export function invalidIdToken(
  { provider: { id } }: Pick<TokenIssuance, 'provider'>,
  what: string,
): IdentityProviderError {
  return new IdentityProviderError('not-proven', `The ID token of ${id} is ${what}`)
}
