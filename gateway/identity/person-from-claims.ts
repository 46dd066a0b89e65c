/** Reads a person from the claims of an ID token (OpenID Connect Core 1.0, 5.1). */

import type { JWTPayload } from 'jose'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { countryRules } from '../countries/served-countries.ts'
import { parseDay } from '../platform/time-format.ts'
import { IdentityProviderError } from './identity-provider.ts'
import { normaliseNationalId, type Person } from './person.ts'

const NAME_CHARACTERS_MAX = 300

/** The person. Throws `not-proven` where the claims do not identify one uniquely. */
export function personFromClaims(provider: IdentityProviderSettings, claims: JWTPayload, countryCode: string): Person {
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

/** Where only the full name is given, its last word is the family name. */
function nameOf(given: string | null, family: string | null, full: string | null): Person['name'] | null {
  if (given !== null && family !== null) {
    return { given, family }
  }
  const words = full?.split(/\s+/) ?? []
  const last = words.pop()
  return last === undefined || words.length === 0 ? null : { given: words.join(' '), family: last }
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  return text === '' || text.length > NAME_CHARACTERS_MAX ? null : text
}

/** A year alone, or with zeros in it, does not identify a person. */
function dayOf(text: string | null): string | null {
  return parseDay(text ?? '') === undefined ? null : text
}

function birthDateOf(country: string, nationalId: string | null): string | null {
  return nationalId === null ? null : (countryRules(country)?.nationalIds.birthDateOf(nationalId) ?? null)
}
