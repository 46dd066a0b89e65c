/** Defines persons in company registries: name, birth date, and roles at a company. */

/** A registered person, identified only by name and birth date. */
export type RegisteredPerson = {
  readonly name: PersonName
  /** ISO 8601. */
  readonly birthDate: string
}

/** Middle names are given names. */
export type PersonName = { readonly given: string; readonly family: string }

/** The role of a person at a company. */
export type RoleKind = (typeof ROLE_KINDS)[number]

export const ROLE_KINDS = [
  'chair',
  'deputy-chair',
  'board-member',
  /** Substitutes absent members. */
  'deputy-member',
  'managing-director',
  'partner',
  'proprietor',
  /** Appointed by the company to sign for it. */
  'signatory',
] as const

/** One role of one person. */
export type RegisteredRole = { readonly role: RoleKind; readonly person: RegisteredPerson }
