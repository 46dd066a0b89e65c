/** Validates the country and organisation number (string or JSON number) of a request. */
import { checkOrganisationNumber, SERVED_COUNTRIES } from '../countries/served-countries.ts'
import { type ApiError, apiError, type ValidationError } from '../platform/http/errors/api-error.ts'
import type { Company } from './company.ts'

export type CompanyRequest = { readonly country: string; readonly organizationNumber: string | number }

/** The validation errors of a country and a number whose types are valid. */
export function validateCompanyRequest(
  request: CompanyRequest,
  isSound: (path: string) => boolean,
): readonly ValidationError[] {
  if (!isSound('.country')) {
    return []
  }
  if (!SERVED_COUNTRIES.some((served) => served === request.country)) {
    const reason = `must be one of ${SERVED_COUNTRIES.join(', ')}`
    return [{ code: 'InvalidRequest', reason, path: '.country' }]
  }
  return isSound('.organizationNumber') ? validateOrganisationNumber(request.country, request) : []
}

/** The validation errors of a number of a country. */
export function validateOrganisationNumber(
  country: string,
  { organizationNumber }: Pick<CompanyRequest, 'organizationNumber'>,
): readonly ValidationError[] {
  const checked = checkOrganisationNumber(country, String(organizationNumber))
  return checked.ok
    ? []
    : [{ code: 'InvalidRequest', reason: `The organisation number ${checked.reason}`, path: '.organizationNumber' }]
}

/** The number in its stored form. Throws when it was not validated before. */
export function requireValidOrganisationNumber({ country, organizationNumber }: CompanyRequest): string {
  const checked = checkOrganisationNumber(country, String(organizationNumber))
  if (!checked.ok) {
    throw new Error(`An organisation number passed validation although it ${checked.reason}`)
  }
  return checked.organisationNumber
}

/** The error to throw; it covers the partner's own companies only. */
export function companyAlreadyExists(company: Pick<Company, 'name' | 'onboarded' | 'onboardingId'>): ApiError {
  const verb = company.onboarded ? 'onboarded' : 'registered'
  const { onboardingId } = company
  return apiError('COMPANY_ALREADY_EXISTS', `You have already ${verb} ${company.name}`, { onboardingId })
}
