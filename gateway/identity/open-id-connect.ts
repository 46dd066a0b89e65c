/** Identifies persons by OpenID Connect: what is requested of a provider, and who its ID token names. */

import type { JWTPayload } from 'jose'
import type { IDToken } from 'openid-client'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../config/config.ts'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { countryRules } from '../countries/served-countries.ts'
import { parseDay } from '../platform/clock.ts'
import { CODE_VERIFIER_CHARACTERS_MIN } from '../platform/crypto/pkce.ts'
import { newToken } from '../platform/ids.ts'
import {
  type AuthorisationCodeFlow,
  openAuthorisationCodeFlow,
  type ProviderRegistration,
} from './authorisation-code-flow.ts'
import { type IdentificationRequest, type IdentityProvider, IdentityProviderError } from './identity-provider.ts'
import { normaliseNationalId, type Person } from './person.ts'

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

/** Opens a provider without calling it. `redirectUri` is the one registered there. */
export function openIdConnect(
  provider: IdentityProviderSettings,
  registration: ProviderRegistration,
): IdentityProvider {
  const flow = openAuthorisationCodeFlow(provider, registration)
  return {
    id: provider.id,
    name: provider.name,
    begin: (request) => begin(flow, provider, request),
    finish: async (callback) => {
      const { countryCode, ...secret } = readSecret(callback.secret)
      const result = await flow.finish(callback.query, secret)
      if (result.outcome !== 'verified') {
        return result
      }
      const { claims, idToken } = result
      requireFreshLogin(provider, registration, claims)
      return { outcome: 'identified', person: personFromClaims(provider, claims, countryCode), idToken }
    },
  }
}

async function begin(flow: AuthorisationCodeFlow, provider: IdentityProviderSettings, request: IdentificationRequest) {
  const bound = {
    state: encodeReturnState(request.back),
    // The provider signs the nonce, and with it the hash of what was shown.
    nonce: request.documentHash === null ? newToken() : `${newToken()}.${request.documentHash}`,
  }
  const { url, secret } = await flow.begin(bound, {
    // A previous user's session must not sign for the current user.
    prompt: 'login',
    ui_locales: request.language,
    ...signingText(provider, request.text),
  })
  const stored: Secret = { ...secret, countryCode: request.countryCode }
  return { url, secret: JSON.stringify(stored) }
}

function signingText({ signingText: setting }: IdentityProviderSettings, text: string | null): Record<string, string> {
  if (setting === undefined || text === null) {
    return {}
  }
  const base64 = Buffer.from(text).toString('base64')
  return { [setting.parameter]: setting.value.replaceAll('{base64}', () => base64).replaceAll('{text}', () => text) }
}

/** The time for a whole identification, with the difference between two machines' clocks. */
const LOGIN_AGE_SECONDS_MAX = 15 * 60

/**
 * The request for a fresh login passes through the user's browser, which may remove it. A provider that does not report the
 * time of the login is trusted to have asked. Throws `not-proven`.
 */
function requireFreshLogin({ id }: IdentityProviderSettings, { clock }: ProviderRegistration, claims: IDToken): void {
  const { auth_time: loggedInAt } = claims
  if (loggedInAt !== undefined && clock.real().epochMilliseconds / 1000 - loggedInAt > LOGIN_AGE_SECONDS_MAX) {
    throw new IdentityProviderError('not-proven', `The ID token of ${id} is of an earlier login (auth_time)`)
  }
}

function readSecret(stored: string): Secret {
  const secret: unknown = JSON.parse(stored)
  if (!secretShape.Check(secret)) {
    throw new Error('The stored secret of an identification is invalid')
  }
  return secret
}

/** Longer than any URL of ours. */
const STATE_CHARACTERS_MAX = 2000

/** Providers know one redirect URI of ours only: an unguessable state for an identification whose browser continues at `back`. */
function encodeReturnState(back: string): string {
  return `${newToken()}.${Buffer.from(back).toString('base64url')}`
}

/** Where a browser with this state continues; undefined unless that is one of our URLs for it. */
export function decodeReturnState(
  { baseUrl, onboardingUrl }: Pick<Config, 'baseUrl' | 'onboardingUrl'>,
  state: string,
) {
  const [, encoded] = /^[\w-]+\.([\w-]+)$/.exec(state.slice(0, STATE_CHARACTERS_MAX)) ?? []
  const back = Buffer.from(encoded ?? '', 'base64url').toString()
  const url = URL.parse(back)
  const isOwnUrl = [`${baseUrl}/signing/`, `${onboardingUrl}/onboarding/`].some((prefix) =>
    url?.href.startsWith(prefix),
  )
  return url !== null && isOwnUrl ? url : undefined
}

const NAME_CHARACTERS_MAX = 300

/** The person. Throws `not-proven` where the claims do not identify one uniquely. */
function personFromClaims(provider: IdentityProviderSettings, claims: JWTPayload, countryCode: string): Person {
  const { id, nationalIdClaim } = provider
  const text = (claim: string) => textOf(claims[claim])
  const nationalIdGiven = nationalIdClaim === undefined ? null : text(nationalIdClaim)
  const nationalId = nationalIdGiven === null ? null : normaliseNationalId(nationalIdGiven)
  const country = text('country') ?? countryCode
  if (!provider.countries.includes(country)) {
    throw new IdentityProviderError(
      'not-proven',
      `The identity provider ${id} identified a person of a country that it is not configured for`,
    )
  }
  const name = nameOf(text('given_name'), text('family_name'), text('name'))
  const birthDate = dayOf(text('birthdate')) ?? dayOf(birthDateOf(country, nationalId))
  if (name === null || birthDate === null) {
    throw new IdentityProviderError('not-proven', `The identity provider ${id} did not return a name and a birth date`)
  }
  return { name, birthDate, nationalId, country, levelOfAssurance: text('acr') ?? '' }
}

/** Where only one text is given, its last word is the family name; some persons have no other. */
function nameOf(given: string | null, family: string | null, full: string | null): Person['name'] | null {
  if (given !== null && family !== null) {
    return { given, family }
  }
  const words = (full ?? family ?? given)?.split(/\s+/) ?? []
  const last = words.pop()
  return last === undefined ? null : { given: words.join(' '), family: last }
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  return text === '' || text.length > NAME_CHARACTERS_MAX ? null : text
}

/** A year alone, or with zeros in it, does not identify a person. */
function dayOf(text: string | null): string | null {
  return parseDay(text ?? '') === undefined || text?.startsWith('0000') === true ? null : text
}

function birthDateOf(country: string, nationalId: string | null): string | null {
  return nationalId === null ? null : (countryRules(country)?.nationalIds.birthDateOf(nationalId) ?? null)
}
