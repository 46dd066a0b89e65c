/** Finds the company that an order of exchange names, and makes sure that it may pay abroad. */
import type { ExchangeOrder } from '../../contract/fx/exchange-order.ts'
import type { FindCompany } from '../companies/company-finder.ts'
import { requirePayingAbroad } from '../companies/require-company.ts'
import { checkOrganisationNumber } from '../countries/organisation-number.ts'
import { COUNTRIES_SERVED } from '../countries/served-countries.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import type { ExchangeAsked } from './quotes/exchange-request.ts'

/** The company by the number in its kept form. Throws `forbidden`, which the interface tells in plain text here. */
export async function requireCompanyOf(
  findCompany: FindCompany,
  partnerId: string,
  { metadata }: ExchangeOrder,
): Promise<ExchangeAsked['company']> {
  const { organizationCountryCode: countryCode, organizationNumber } = metadata
  const checked = COUNTRIES_SERVED.includes(countryCode)
    ? checkOrganisationNumber(countryCode, String(organizationNumber))
    : undefined
  if (checked?.ok !== true) {
    throw refuse('forbidden', `No company of ${countryCode} with this number is onboarded with you`)
  }
  const { organisationNumber } = checked
  await requirePayingAbroad(findCompany, { partnerId, countryCode, organisationNumber })
  return { countryCode, organisationNumber }
}
