/** Verifies an ID token (OpenID Connect Core 1.0, 3.1.3.7): signature, audience, expiry and nonce. */
import { timingSafeEqual } from 'node:crypto'
import { type JWTPayload, jwtVerify } from 'jose'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { hashToken } from '../platform/ids.ts'
import { IdentityProviderError } from './identity-provider-error.ts'
import type { ProviderDiscovery } from './provider-discovery.ts'

/** Asymmetric algorithms only: a token signed with a secret that we hold, too, would be no evidence. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256', 'PS256']
/** Allowed difference between two machines' clocks. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Tokens are used at once; an older one was used before. */
const TOKEN_AGE_SECONDS_MAX = 600
/** Enough for a token with a certificate chain and evidence. */
const CHARACTERS_MAX = 100_000

/** The verified claims. Throws `not-proven`; the message contains nothing of the token. */
export async function readIdToken(
  provider: IdentityProviderSettings,
  { discovery, clock }: { readonly discovery: ProviderDiscovery; readonly clock: Pick<Clock, 'real'> },
  { idToken, nonce }: { readonly idToken: string; readonly nonce: string },
): Promise<JWTPayload> {
  if (idToken.length > CHARACTERS_MAX) {
    throw invalidIdToken(provider, 'too long')
  }
  const keys = await discovery.keysFor(idToken)
  const claims = await verifyIdToken(provider, () =>
    jwtVerify(idToken, keys, {
      algorithms: ALGORITHMS,
      issuer: provider.issuer,
      audience: provider.clientId,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: TOKEN_AGE_SECONDS_MAX,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(clock.real().epochMilliseconds),
    }),
  )
  const { aud, azp, nonce: given } = claims
  if (typeof given !== 'string' || !isSame(given, nonce)) {
    throw invalidIdToken(provider, 'for another request: the nonce differs')
  }
  const hasSeveralAudiences = Array.isArray(aud) && aud.length > 1
  if ((azp !== undefined || hasSeveralAudiences) && azp !== provider.clientId) {
    throw invalidIdToken(provider, 'issued to another client')
  }
  const { acrAccepted } = provider
  if (acrAccepted !== undefined && !acrAccepted.some((acr) => acr === claims['acr'])) {
    throw invalidIdToken(provider, 'of a level of assurance that is not accepted (acr)')
  }
  return claims
}

async function verifyIdToken(
  provider: IdentityProviderSettings,
  verify: () => Promise<{ readonly payload: JWTPayload }>,
): Promise<JWTPayload> {
  try {
    return (await verify()).payload
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw invalidIdToken(provider, `invalid (${code})`)
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)))
}

function invalidIdToken({ id }: IdentityProviderSettings, what: string): IdentityProviderError {
  return new IdentityProviderError('not-proven', `The ID token of ${id} is ${what}`)
}
