/** What a company registry tells of a company: who it is, how it stands, who acts for it, and how. */
import type { RegisteredPerson, RegisteredRole } from './registered-person.ts'
import type { SigningRights } from './signing-rights.ts'

/** A company as a registry knew it at `readAt`. */
export type RegisteredCompany = {
  readonly countryCode: string
  /** In the form of `checkOrganisationNumber`. */
  readonly organisationNumber: string
  /** As it is registered: any characters, of any length. */
  readonly name: string
  /** The registry's own code, such as `AS`, `AB`, `ApS` or `OY`. */
  readonly organisationForm: string
  /** Where it has its business; null where none is registered. */
  readonly address: RegisteredAddress | null
  /** False once it is struck off. */
  readonly isActive: boolean
  readonly isBankrupt: boolean
  /** Being wound up, by its own will or by force. */
  readonly isInLiquidation: boolean
  /** People only: what companies do for it, such as auditing, is left out. */
  readonly roles: readonly RegisteredRole[]
  /** Null where nothing is registered, or nothing that a program understands: a person must look. */
  readonly signingRights: SigningRights | null
  /** Null where the registry does not tell. */
  readonly beneficialOwners: readonly BeneficialOwner[] | null
  /** Day of its registration (ISO 8601). */
  readonly registeredAt: string | null
  /** The name of the registry, as in the settings. */
  readonly source: string
  /** Wall time (ISO 8601). */
  readonly readAt: string
}

/** An address as people write it; a part that is not registered is empty. */
export type RegisteredAddress = {
  /** Street and number, or a box; several lines are joined by commas. */
  readonly street: string
  readonly postCode: string
  readonly city: string
  readonly countryCode: string
}

/** Somebody who owns or controls a company in the end. */
export type BeneficialOwner = {
  readonly person: RegisteredPerson
  /** ISO 3166-1. */
  readonly nationality: string
  /** Where the person lives (ISO 3166-1). */
  readonly country: string
  /** Of shares or votes; null where control is of another kind. */
  readonly ownershipPercent: number | null
  /** Null where the registry does not tell. */
  readonly isPoliticallyExposed: boolean | null
}
