/** `havn company`: companies that an operator has checked, and those that a partner has. */
import { requirePartner } from '../../gateway/auth/list-partners.ts'
import { addCompany } from '../../gateway/onboarding/add-company.ts'
import { listCompanies } from '../../gateway/onboarding/list-companies.ts'
import { tableOf } from './print-table.ts'
import type { Surroundings } from './surroundings.ts'

/** What the operator says of a company. */
export type CompanyTyped = { readonly country: string; readonly number: string; readonly name: string }

/** Adds an onboarded company to a partner. */
export async function addTypedCompany(
  surroundings: Surroundings,
  actor: string,
  nameOrId: string,
  { country, number, name }: CompanyTyped,
): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  const wanted = { partnerId: partner.id, countryCode: country.toUpperCase(), organisationNumber: number, name }
  const company = await addCompany(surroundings, actor, wanted)
  console.log(`${partner.name} may act for ${company.name} (${company.countryCode} ${company.organisationNumber}).`)
}

/** Prints a partner's companies. */
export async function printCompanies(surroundings: Surroundings, nameOrId: string): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  const companies = await listCompanies(surroundings, { partnerId: partner.id })
  const rows = companies.map(({ country, organizationNumber, name, activeSubscription }) => [
    country,
    organizationNumber,
    name,
    activeSubscription ? 'active' : 'inactive',
  ])
  console.log(tableOf(['country', 'number', 'name', 'subscription'], rows))
}
