/** Builds the paths of the pages of partners and their companies. */
import type { Company } from '../../gateway/companies/company.ts'

export const PARTNERS_PATH = '/console/partners'

export function companyPath({
  partnerId,
  countryCode,
  organisationNumber,
}: Pick<Company, 'partnerId' | 'countryCode' | 'organisationNumber'>): string {
  return `${PARTNERS_PATH}/${partnerId}/companies/${countryCode}-${organisationNumber}`
}
