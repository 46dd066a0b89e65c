/** Defines a person identified by a provider, and matches it with an expected person. */

import { plainCode } from '../platform/copied-text.ts'
import { isSamePerson, type RegisteredPerson } from '../registries/registered-person.ts'

/** A person as a provider identified it. */
export type Person = RegisteredPerson & {
  /** In national format, digits and letters only; null where the provider does not report it. */
  readonly nationalId: string | null
  /** The country of the eID, ISO 3166-1. */
  readonly country: string
  /** The provider's `acr`; empty without one. */
  readonly levelOfAssurance: string
}

export type ExpectedPerson = RegisteredPerson & { readonly nationalId?: string | null }

/**
 * If both national ids are known they decide, because names change and are not unique. Otherwise birth date and name
 * decide, by the rule of `isSamePerson`.
 */
export function matchesExpectedPerson(person: Person, expected: ExpectedPerson): boolean {
  const expectedId = expected.nationalId == null ? null : normaliseNationalId(expected.nationalId)
  return expectedId !== null && person.nationalId !== null
    ? person.nationalId === expectedId
    : isSamePerson(person, expected)
}

/** A national id without spaces, hyphens and dots. */
export function normaliseNationalId(text: string): string {
  return plainCode(text).replaceAll('.', '')
}
