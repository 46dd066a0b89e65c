/** Defines the port to company registries and the error when one is unavailable. */
import type { RegisteredCompany } from './registered-company.ts'

/** Reads companies of one country or several. */
export type CompanyRegistry = {
  /**
   * The company, also one that is struck off; null where the registry has none with this number, which must be valid.
   * Throws `RegistryUnavailable`.
   */
  find(countryCode: string, organisationNumber: string): Promise<RegisteredCompany | null>
}

/** The registries of this gateway, by its settings. */
export type CompanyRegistries = {
  /** Null where no registry is configured for the country: the check is manual. */
  of(countryCode: string): CompanyRegistry | null
  /** Waits for calls in flight. */
  close(): Promise<void>
}

/** Thrown where a registry gave no readable response; a retry may help. */
export class RegistryUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'RegistryUnavailable'
  }
}
