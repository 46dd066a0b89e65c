/** Registers a company for account information only, without onboarding, for partners with the permission. */

import type { Registration, RegistrationRequest } from '../../contract/onboarding.ts'
import { hasPartnerPermission } from '../auth/client-permissions.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { apiError, invalidRequest } from '../platform/http/errors/api-error.ts'
import { lookUpCompany } from '../registries/company-registry.ts'
import { type Company, truncateCompanyName } from './company.ts'
import { findCompany } from './company-store.ts'
import { createCompany } from './create-company.ts'
import { companyAlreadyExists, requireValidOrganisationNumber } from './validate-company-request.ts'

const REGISTRY_RETRY_SECONDS = 60

/** Throws `forbidden` without the permission, `COMPANY_ALREADY_EXISTS`, or `unavailable` when the registry is down. */
export async function registerCompany(
  context: Context,
  caller: Pick<PartnerCaller, 'partnerId' | 'clientId'>,
  request: RegistrationRequest,
): Promise<Registration> {
  const { partnerId, clientId } = caller
  if (!(await hasPartnerPermission(context, partnerId, 'aisRegistration'))) {
    throw apiError(
      'forbidden',
      'Registering companies without onboarding requires the partner permission `ais-registration`',
    )
  }
  const organisationNumber = requireValidOrganisationNumber(request)
  const number = { partnerId, countryCode: request.country, organisationNumber }
  const existing = await findCompany(context.database, number)
  if (existing !== undefined) {
    throw companyAlreadyExists(existing)
  }
  const named = { ...number, name: await nameOf(context, number), onboarded: false }
  const at = context.clock.now()
  const company = await createCompany(context, `client ${clientId}`, 'company registered', named)
  if (company === undefined) {
    // Another request created it during the registry call: the error describes the stored company.
    throw companyAlreadyExists((await findCompany(context.database, number)) ?? { ...named, onboardingId: null })
  }
  return {
    country: company.countryCode,
    organizationNumber: company.organisationNumber,
    organizationName: company.name,
    services: [...company.services],
    activeSubscription: company.activeSubscription,
    registeredAt: formatTimestamp(at),
  }
}

/** The name in the company registry: account owners at banks are compared with it. */
async function nameOf(
  context: Context,
  { countryCode, organisationNumber }: Pick<Company, 'countryCode' | 'organisationNumber'>,
): Promise<string> {
  const answer = await lookUpCompany(context, countryCode, organisationNumber)
  switch (answer.outcome) {
    case 'found':
      if (answer.company.isActive) {
        return truncateCompanyName(answer.company.name)
      }
      throw invalidRequest('.organizationNumber', 'The company has been removed from the company registry')
    case 'unknown':
      throw invalidRequest('.organizationNumber', 'The company registry has no company with this number')
    case 'no-registry':
      throw apiError('unavailable', `No company registry is configured for ${countryCode}; ask us to add the company`)
    case 'unavailable': {
      const message = 'The company registry does not answer; the company was not registered. Try again later'
      throw apiError('unavailable', message, { retryAfterSeconds: REGISTRY_RETRY_SECONDS })
    }
    default: {
      const nothing: never = answer
      return nothing
    }
  }
}
