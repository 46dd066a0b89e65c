/** Looks the company up again before the decision: the registry data from the opening may be a week old. */
import type { Context } from '../../context.ts'
import { lookUpCompany } from '../../registries/look-up-company.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { registryRejectionReason } from '../open-onboarding.ts'
import type { Onboarding, OnboardingReason } from '../store/onboarding.ts'

/** The result of the lookup. */
export type RegistryRecheck =
  | {
      readonly outcome: 'checked'
      /** Null when the registry does not have the company, or there is no registry. */
      readonly registered: RegisteredCompany | null
      /** The reason to reject the company by registry data alone. */
      readonly rejectionReason: OnboardingReason | undefined
    }
  /** The registry does not answer: do not decide on old data. */
  | { readonly outcome: 'unavailable' }

/** Call outside of transactions: a registry may take seconds to answer. */
export async function recheckRegistry(
  context: Context,
  { id, countryCode, organisationNumber }: Pick<Onboarding, 'id' | 'countryCode' | 'organisationNumber'>,
): Promise<RegistryRecheck> {
  const answer = await lookUpCompany(context, countryCode, organisationNumber)
  switch (answer.outcome) {
    case 'found':
      return {
        outcome: 'checked',
        registered: answer.company,
        rejectionReason: registryRejectionReason(answer.company),
      }
    case 'unknown':
      return { outcome: 'checked', registered: null, rejectionReason: registryRejectionReason(null) }
    case 'no-registry':
      return { outcome: 'checked', registered: null, rejectionReason: undefined }
    case 'unavailable':
      context.log.warn(
        { onboardingId: id, reason: answer.reason },
        'a company registry did not answer before a decision',
      )
      return { outcome: 'unavailable' }
    default: {
      const nothing: never = answer
      return nothing
    }
  }
}
