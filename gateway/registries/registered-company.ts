/** Defines a company as a registry reports it: identity, status, roles and signing rights. */
import type { RegisteredPerson, RegisteredRole } from './registered-person.ts'
import type { SigningRights } from './signing-rights.ts'

/** A company as registered at `readAt`. */
export type RegisteredCompany = {
  readonly countryCode: string
  /** In the form of `checkOrganisationNumber`. */
  readonly organisationNumber: string
  /** As registered: any characters, of any length. */
  readonly name: string
  /** The registry's own code, such as `AS`, `AB`, `ApS` or `OY`. */
  readonly organisationForm: string
  /** The business address; null where none is registered. */
  readonly address: RegisteredAddress | null
  /** False once it is struck off. */
  readonly isActive: boolean
  readonly isBankrupt: boolean
  /** Voluntary or compulsory. */
  readonly isInLiquidation: boolean
  /** It negotiates with its creditors under a court's supervision, and trades on. */
  readonly isInReconstruction: boolean
  /** Persons only; companies with a role, such as auditors, are omitted. */
  readonly roles: readonly RegisteredRole[]
  /** Null where none are registered, or none that could be parsed: the check is manual. */
  readonly signingRights: SigningRights | null
  /** Null where the registry does not report them. */
  readonly beneficialOwners: readonly BeneficialOwner[] | null
  /** Day of its registration (ISO 8601). */
  readonly registeredAt: string | null
  /** The name of the registry, as in the settings. */
  readonly source: string
  /** Wall time (ISO 8601). */
  readonly readAt: string
}

/** A postal address; a part that is not registered is empty. */
export type RegisteredAddress = {
  /** Street and number, or a box; several lines are joined by commas. */
  readonly street: string
  readonly postCode: string
  readonly city: string
  readonly countryCode: string
}

/** A person who ultimately owns or controls a company. */
export type BeneficialOwner = {
  readonly person: RegisteredPerson
  /** ISO 3166-1. */
  readonly nationality: string
  /** Country of residence (ISO 3166-1). */
  readonly country: string
  /** Of shares or votes; null for control of another kind. */
  readonly ownershipPercent: number | null
  /** Null where the registry does not report it. */
  readonly isPoliticallyExposed: boolean | null
}
