/** Verifies an ID token (OpenID Connect Core 1.0, 3.1.3.7): whoever signed it, whom it is for, until when, and for which asking. */
import { timingSafeEqual } from 'node:crypto'
import { type JWTPayload, jwtVerify } from 'jose'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { hashToken } from '../platform/ids.ts'
import { IdentityRefusal } from './identity-refusal.ts'
import type { Publications } from './provider-keys.ts'

/** Asymmetric ones only: a token signed with a secret that we hold ourselves would prove nothing to anybody else. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256', 'PS256']
/** The clocks of two machines differ by this much without anybody noticing. */
const CLOCK_TOLERANCE_SECONDS = 30
/** It is shown the moment that it is made; one that is older was shown before. */
const AGE_SECONDS_MAX = 600
/** A token with a certificate chain and evidence in it. */
const CHARACTERS_MAX = 100_000

/** The claims. Throws `not-proven` when anything is not as it must be, and never tells what the token holds. */
export async function readIdToken(
  provider: IdentityProviderSettings,
  { publications, clock }: { readonly publications: Publications; readonly clock: Pick<Clock, 'real'> },
  { idToken, nonce }: { readonly idToken: string; readonly nonce: string },
): Promise<JWTPayload> {
  if (idToken.length > CHARACTERS_MAX) {
    throw notProven(provider, 'longer than any')
  }
  const keys = await publications.keysFor(idToken)
  const claims = await verified(provider, () =>
    jwtVerify(idToken, keys, {
      algorithms: ALGORITHMS,
      issuer: provider.issuer,
      audience: provider.clientId,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: AGE_SECONDS_MAX,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(clock.real().epochMilliseconds),
    }),
  )
  const { aud, azp, nonce: given } = claims
  if (typeof given !== 'string' || !isSame(given, nonce)) {
    throw notProven(provider, 'for another asking')
  }
  const isForOthersToo = Array.isArray(aud) && aud.length > 1
  if ((azp !== undefined || isForOthersToo) && azp !== provider.clientId) {
    throw notProven(provider, 'issued to another client')
  }
  const { acrAccepted } = provider
  if (acrAccepted !== undefined && !acrAccepted.some((acr) => acr === claims['acr'])) {
    throw notProven(provider, 'of a level of assurance that is not accepted')
  }
  return claims
}

async function verified(
  provider: IdentityProviderSettings,
  verify: () => Promise<{ readonly payload: JWTPayload }>,
): Promise<JWTPayload> {
  try {
    return (await verify()).payload
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw notProven(provider, `not sound (${code})`)
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)))
}

function notProven({ id }: IdentityProviderSettings, what: string): IdentityRefusal {
  return new IdentityRefusal('not-proven', `The ID token of ${id} is ${what}`)
}
