/** The port to company registries: one question, and a no of its own for when there is no answer. */
import type { RegisteredCompany } from './registered-company.ts'

/** Tells of the companies of one country or several. */
export type CompanyRegistry = {
  /**
   * The company, also one that is struck off; null where the registry knows none by this number, which must be sound.
   * Throws `RegistryUnavailable`.
   */
  find(countryCode: string, organisationNumber: string): Promise<RegisteredCompany | null>
}

/** The registries of this gateway, as its settings choose them. */
export type CompanyRegistries = {
  /** Null where no registry is set for the country: a person must look. */
  of(countryCode: string): CompanyRegistry | null
  /** Waits for calls under way. */
  close(): Promise<void>
}

/** Thrown where a registry gave no answer, or none that can be read; asking again later may help. */
export class RegistryUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'RegistryUnavailable'
  }
}
