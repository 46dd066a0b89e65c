/** Who a person is by the word of an identity provider, and whether that is somebody whom a registry names. */

import { isSamePerson } from '../registries/is-same-person.ts'
import type { RegisteredPerson } from '../registries/registered-person.ts'

/** A person as a provider vouches for it. */
export type Person = RegisteredPerson & {
  /** As the country writes it, digits and letters only; null where the provider does not tell. */
  readonly nationalId: string | null
  /** The country of the eID, ISO 3166-1. */
  readonly country: string
  /** The provider's own word (`acr`); empty where it has none. */
  readonly levelOfAssurance: string
}

/** Whom somebody is expected to be. */
export type ExpectedPerson = RegisteredPerson & { readonly nationalId?: string | null }

/**
 * Where both national ids are known they decide: names change, and people share them. Else birth date and name do, by
 * the rule of `isSamePerson`.
 */
export function isExpected(person: Person, expected: ExpectedPerson): boolean {
  const wanted = expected.nationalId == null ? null : plainNationalId(expected.nationalId)
  return wanted !== null && person.nationalId !== null ? person.nationalId === wanted : isSamePerson(person, expected)
}

/** A national id without the spaces, hyphens and dots that people and providers put into it. */
export function plainNationalId(text: string): string {
  return text.replaceAll(/[\s.-]/g, '').toUpperCase()
}
