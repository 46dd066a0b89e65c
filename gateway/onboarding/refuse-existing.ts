/** Says no to whoever brings a company in that is there already. */

import type { Company } from '../companies/company.ts'
import { type Refusal, refuse } from '../platform/http/errors/api-error.ts'

/** The refusal to throw; it speaks of the partner's own company only. */
export function refuseExisting(company: Pick<Company, 'name' | 'onboarded' | 'onboardingId'>): Refusal {
  const how = company.onboarded ? 'onboarded' : 'registered'
  const { onboardingId } = company
  return refuse('COMPANY_ALREADY_EXISTS', `${company.name} is ${how} with you already`, { onboardingId })
}
