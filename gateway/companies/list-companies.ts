/** Lists a partner's companies. */
import type { Company as CompanyShown } from '../../contract/companies.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Company } from './company.ts'
import { listCompaniesOf } from './company-store.ts'

/** The partner's own companies by name; another's are no concern of it. */
export async function listCompanies(
  { database }: { readonly database: Queryable },
  caller: Pick<PartnerCaller, 'partnerId'>,
): Promise<CompanyShown[]> {
  const companies = await listCompaniesOf(database, caller.partnerId)
  return companies.map(shownCompany)
}

/** As partners see it. */
export function shownCompany(company: Company): CompanyShown {
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
