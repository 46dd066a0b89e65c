/** What a company registry tells of people: their names, birth dates, and roles at a company. */

/** Somebody as registries name people: nothing but name and birth date tells them apart. */
export type RegisteredPerson = {
  readonly name: PersonName
  /** ISO 8601. */
  readonly birthDate: string
}

/** Middle names are given names. */
export type PersonName = { readonly given: string; readonly family: string }

/** What somebody is at a company. */
export type RoleKind = (typeof ROLE_KINDS)[number]

export const ROLE_KINDS = [
  'chair',
  'deputy-chair',
  'board-member',
  /** Stands in for absent members, and is none while they are there. */
  'deputy-member',
  'managing-director',
  'partner',
  'proprietor',
  /** Named by the company to sign for it. */
  'signatory',
] as const

/** One role of one person. */
export type RegisteredRole = { readonly role: RoleKind; readonly person: RegisteredPerson }
