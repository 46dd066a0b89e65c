/** Reads a person from the claims of an ID token (OpenID Connect Core 1.0, 5.1). */
import type { JWTPayload } from 'jose'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { IdentityRefusal } from './identity-refusal.ts'
import { type Person, plainNationalId } from './person.ts'

const NAME_CHARACTERS_MAX = 300
/** Swedish personal identity numbers begin with the whole birth date; Swedish BankID tells nothing else of it. */
const SWEDISH_NATIONAL_ID = /^(\d{4})(\d{2})(\d{2})\d{4}$/
/** The day of a coordination number is the day of birth and 60. */
const COORDINATION_DAYS = 60

/** The person. Throws `not-proven` where the provider does not say enough to tell people apart. */
export function personOfClaims(provider: IdentityProviderSettings, claims: JWTPayload, countryCode: string): Person {
  const { id, nationalIdClaim } = provider
  const text = (claim: string) => textOf(claims[claim])
  const nationalIdGiven = nationalIdClaim === undefined ? null : text(nationalIdClaim)
  const nationalId = nationalIdGiven === null ? null : plainNationalId(nationalIdGiven)
  const country = text('country') ?? countryCode
  if (!provider.countries.includes(country)) {
    throw new IdentityRefusal('not-proven', `The identity provider ${id} vouched for a person of another country`)
  }
  const name = nameOf(text('given_name'), text('family_name'), text('name'))
  const birthDate = dayOf(text('birthdate')) ?? (country === 'SE' ? birthDateOf(nationalId) : null)
  if (name === null || birthDate === null) {
    throw new IdentityRefusal('not-proven', `The identity provider ${id} does not tell a name and a birth date`)
  }
  return { name, birthDate, nationalId, country, levelOfAssurance: text('acr') ?? '' }
}

/** Where only the whole name is told, its last word is the family name. */
function nameOf(given: string | null, family: string | null, whole: string | null): Person['name'] | null {
  if (given !== null && family !== null) {
    return { given, family }
  }
  const words = whole?.split(/\s+/) ?? []
  const last = words.pop()
  return last === undefined || words.length === 0 ? null : { given: words.join(' '), family: last }
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : ''
  return text === '' || text.length > NAME_CHARACTERS_MAX ? null : text
}

/** A year alone, or with zeros in it, is no birth date that tells anybody apart. */
function dayOf(text: string | null): string | null {
  const isDay = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text)
  return isDay && isInCalendar(text) ? text : null
}

function birthDateOf(nationalId: string | null): string | null {
  const [, year = '', month = '', day = ''] = SWEDISH_NATIONAL_ID.exec(nationalId ?? '') ?? []
  const dayOfBirth = Number(day) > COORDINATION_DAYS ? Number(day) - COORDINATION_DAYS : Number(day)
  return dayOf(`${year}-${month}-${String(dayOfBirth).padStart(2, '0')}`)
}

function isInCalendar(text: string): boolean {
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}
