/** Finds the company that an exchange order names, and requires that it may make international payments. */
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import { type FindCompany, requireInternationalPayments } from '../../companies/require-company.ts'
import { checkOrganisationNumber } from '../../countries/organisation-number.ts'
import { SERVED_COUNTRIES } from '../../countries/served-countries.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { ExchangeRequest } from './exchange-request.ts'

/** The company with its normalised number. Throws `forbidden`, which this API returns as plain text. */
export async function requireOnboardedCompany(
  findCompany: FindCompany,
  partnerId: string,
  { metadata }: ExchangeOrder,
): Promise<ExchangeRequest['company']> {
  const { organizationCountryCode: countryCode, organizationNumber } = metadata
  const checked = SERVED_COUNTRIES.includes(countryCode)
    ? checkOrganisationNumber(countryCode, String(organizationNumber))
    : undefined
  if (checked?.ok !== true) {
    throw apiError('forbidden', `No company of ${countryCode} with this number is onboarded with you`)
  }
  const { organisationNumber } = checked
  await requireInternationalPayments(findCompany, { partnerId, countryCode, organisationNumber })
  return { countryCode, organisationNumber }
}
