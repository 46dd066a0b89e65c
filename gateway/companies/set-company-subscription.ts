/** Activates or ends a company's subscription for its partner. */
import type { Company as CompanyShown } from '../../contract/companies.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { checkOrganisationNumber } from '../countries/served-countries.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { changeCompany, setSubscription } from './change-company.ts'
import { findCompany } from './company-store.ts'
import { renderCompany } from './list-companies.ts'

export type CompanyPath = { readonly countryCode: string; readonly organizationNumber: string }

/** The company after the change; idempotent. Throws `not-found` when the partner does not have it. */
export async function setCompanySubscription(
  context: Context,
  { partnerId, clientId }: Pick<PartnerCaller, 'partnerId' | 'clientId'>,
  { countryCode, organizationNumber }: CompanyPath,
  to: boolean,
): Promise<CompanyShown> {
  const checked = checkOrganisationNumber(countryCode, organizationNumber)
  const number = checked.ok ? { partnerId, countryCode, organisationNumber: checked.organisationNumber } : undefined
  if (number === undefined || (await findCompany(context.database, number)) === undefined) {
    throw apiError('not-found', `You have no company ${countryCode} ${organizationNumber}`)
  }
  const { company } = await changeCompany(context, `client ${clientId}`, number, setSubscription(to))
  return renderCompany(company)
}
