/** Begins or ends the subscription of a company at its partner's wish. */
import type { Company as CompanyShown } from '../../contract/companies.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { changeCompany, setSubscription } from './change-company.ts'
import { findCompany } from './company-store.ts'
import { shownCompany } from './list-companies.ts'

/** Which company, as the path names it. */
export type CompanyNamed = { readonly countryCode: string; readonly organizationNumber: string }

/** The company as it is afterwards; said again, it changes nothing. Throws 404 when the partner does not have it. */
export async function switchSubscription(
  context: Context,
  { partnerId, clientId }: Pick<PartnerCaller, 'partnerId' | 'clientId'>,
  { countryCode, organizationNumber }: CompanyNamed,
  to: boolean,
): Promise<CompanyShown> {
  const checked = checkOrganisationNumber(countryCode, organizationNumber)
  const number = checked.ok ? { partnerId, countryCode, organisationNumber: checked.organisationNumber } : undefined
  if (number === undefined || (await findCompany(context.database, number)) === undefined) {
    throw refuse('not-found', `You have no company ${countryCode} ${organizationNumber}`)
  }
  const { company } = await changeCompany(context, `client ${clientId}`, number, setSubscription(to))
  return shownCompany(company)
}
