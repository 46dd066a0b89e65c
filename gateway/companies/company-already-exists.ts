/** The error for onboarding or registering a company that the partner already has. */
import { type ApiError, apiError } from '../platform/http/errors/api-error.ts'
import type { Company } from './company.ts'

/** The error to throw; it covers the partner's own companies only. */
export function companyAlreadyExists(company: Pick<Company, 'name' | 'onboarded' | 'onboardingId'>): ApiError {
  const verb = company.onboarded ? 'onboarded' : 'registered'
  const { onboardingId } = company
  return apiError('COMPANY_ALREADY_EXISTS', `You have already ${verb} ${company.name}`, { onboardingId })
}
