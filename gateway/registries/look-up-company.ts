/** Looks a company up in the registry of its country, and tells apart what may come of that. */
import type { CompanyRegistries } from './company-registry.ts'
import { RegistryUnavailable } from './company-registry.ts'
import type { RegisteredCompany } from './registered-company.ts'

/** What a registry says of a company. */
export type RegistryAnswer =
  | { readonly outcome: 'found'; readonly company: RegisteredCompany }
  /** The registry knows no company by this number. */
  | { readonly outcome: 'unknown' }
  /** There is no registry for this country here: a person must look. */
  | { readonly outcome: 'no-registry' }
  /** It gave no answer that can be read: asking again later may help, and a person can look. */
  | { readonly outcome: 'unavailable'; readonly reason: string }

/** Asks; the number is sound and in the form of `checkOrganisationNumber`. */
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
