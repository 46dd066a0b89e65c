/** Lists a partner's companies. */
import type { Company as CompanyShown } from '../../contract/companies.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Company } from './company.ts'
import { listPartnerCompanies } from './company-store.ts'

/** The caller's own companies, sorted by name. */
export async function listCompanies(
  { database }: { readonly database: Queryable },
  caller: Pick<PartnerCaller, 'partnerId'>,
): Promise<CompanyShown[]> {
  const companies = await listPartnerCompanies(database, caller.partnerId)
  return companies.map(renderCompany)
}

/** The company as it appears in API responses. */
export function renderCompany(company: Company): CompanyShown {
  const { organisationNumber, countryCode, name, activeSubscription, services, onboardingId } = company
  return {
    organizationNumber: organisationNumber,
    country: countryCode,
    name,
    activeSubscription,
    services: [...services],
    onboardingId,
  }
}
