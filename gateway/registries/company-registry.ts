/** Defines the port to company registries, and looks a company up in the registry of its country. */
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

/** The result of a look-up. */
export type RegistryAnswer =
  | { readonly outcome: 'found'; readonly company: RegisteredCompany }
  /** The registry has no company with this number. */
  | { readonly outcome: 'unknown' }
  /** No registry is configured for this country: the check is manual. */
  | { readonly outcome: 'no-registry' }
  /** The registry gave no readable response: a retry may help, and a manual check is possible. */
  | { readonly outcome: 'unavailable'; readonly reason: string }

/** Looks up a company by a valid number in the form of `checkOrganisationNumber`. */
export async function lookUpCompany(
  { registries }: { readonly registries: CompanyRegistries },
  countryCode: string,
  organisationNumber: string,
): Promise<RegistryAnswer> {
  const registry = registries.of(countryCode)
  if (registry === null) {
    return { outcome: 'no-registry' }
  }
  try {
    const company = await registry.find(countryCode, organisationNumber)
    return company === null ? { outcome: 'unknown' } : { outcome: 'found', company }
  } catch (error) {
    if (error instanceof RegistryUnavailable) {
      return { outcome: 'unavailable', reason: error.message }
    }
    throw error
  }
}
