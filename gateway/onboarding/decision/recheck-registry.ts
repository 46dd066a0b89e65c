/** Asks the registry about a company once more before its onboarding is decided: what it said at the opening may be a week old. */
import { lookUpCompany } from '../../registries/look-up-company.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import type { RegistryContext } from '../../registries/registry-context.ts'
import type { Onboarding, OnboardingReason } from '../onboarding.ts'
import { reasonAgainst } from '../open-onboarding.ts'

/** What it says now. */
export type RegistryNow =
  | {
      readonly outcome: 'told'
      /** Null where it knows no such company, or there is no registry. */
      readonly registered: RegisteredCompany | null
      /** Why the company cannot be taken, by the registry alone. */
      readonly against: OnboardingReason | undefined
    }
  /** It does not answer: nothing is to be decided on what it said before. */
  | { readonly outcome: 'unavailable' }

/** Asks; outside of transactions, since a registry may take seconds. */
export async function askRegistryAgain(
  context: RegistryContext,
  { id, countryCode, organisationNumber }: Pick<Onboarding, 'id' | 'countryCode' | 'organisationNumber'>,
): Promise<RegistryNow> {
  const answer = await lookUpCompany(context, countryCode, organisationNumber)
  switch (answer.outcome) {
    case 'found':
      return { outcome: 'told', registered: answer.company, against: reasonAgainst(answer.company) }
    case 'unknown':
      return { outcome: 'told', registered: null, against: reasonAgainst(null) }
    case 'no-registry':
      return { outcome: 'told', registered: null, against: undefined }
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
