/** Shows onboardings to the partner that started them: how they stand, and nothing that people wrote. */
import {
  ONBOARDINGS_LISTED_MAX,
  type Onboarding as OnboardingShown,
  type OnboardingStatus,
} from '../../contract/onboarding.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { formsOfOrganisationNumber } from '../countries/organisation-number.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { tasksOf } from './answers/onboarding-tasks.ts'
import type { Onboarding } from './onboarding.ts'
import { findOnboarding, listOnboardingsOf } from './onboarding-store.ts'

type Caller = Pick<PartnerCaller, 'partnerId'>

/** One onboarding. */
export async function showOnboarding(context: Context, caller: Caller, id: string): Promise<OnboardingShown> {
  return shownOnboarding(await requireOwnOnboarding(context, caller, id))
}

/** The newest onboardings that match. */
export async function listOnboardings(
  { database }: Context,
  { partnerId }: Caller,
  { status, organizationNumber }: { readonly status?: OnboardingStatus; readonly organizationNumber?: string },
): Promise<OnboardingShown[]> {
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(organizationNumber === undefined ? {} : { organisationNumbers: formsOfOrganisationNumber(organizationNumber) }),
  }
  const found = await listOnboardingsOf(database, partnerId, filter, ONBOARDINGS_LISTED_MAX)
  return found.map(shownOnboarding)
}

/** The partner's onboarding; another's does not exist. Throws `ONBOARDING_NOT_FOUND`. */
export async function requireOwnOnboarding(
  { database }: Pick<Context, 'database'>,
  { partnerId }: Caller,
  id: string,
): Promise<Onboarding> {
  const onboarding = await findOnboarding(database, { partnerId, id: id.toLowerCase() })
  if (onboarding === undefined) {
    throw refuse('ONBOARDING_NOT_FOUND', 'There is no onboarding with this id')
  }
  return onboarding
}

/** As partners see it. */
export function shownOnboarding(onboarding: Onboarding): OnboardingShown {
  return {
    id: onboarding.id,
    status: onboarding.status,
    statusReason: onboarding.statusReason,
    country: onboarding.countryCode,
    organizationNumber: onboarding.organisationNumber,
    organizationName: onboarding.organisationName,
    redirectUrl: onboarding.redirectUrl,
    createdAt: printTimestamp(onboarding.createdAt),
    updatedAt: printTimestamp(onboarding.updatedAt),
    expiresAt: onboarding.expiresAt === null ? null : printTimestamp(onboarding.expiresAt),
    tasks: tasksOf(onboarding),
  }
}
