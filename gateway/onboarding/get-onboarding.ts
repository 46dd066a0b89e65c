/** Gets and lists a partner's onboardings: their status, without personal data. */
import { ONBOARDINGS_LISTED_MAX, type Onboarding as OnboardingShown } from '../../contract/onboarding.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import { organisationNumberVariants } from '../countries/served-countries.ts'
import { formatTimestamp } from '../platform/clock.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { expireIfOverdue } from './expire-onboarding.ts'
import type { Onboarding, OnboardingStatus } from './store/onboarding.ts'
import { tasksOf } from './store/onboarding-answers.ts'
import { findOnboarding, listMatchingOnboardings } from './store/onboarding-store.ts'

type Caller = Pick<PartnerCaller, 'partnerId'>

/** The partner's onboarding. Throws `ONBOARDING_NOT_FOUND`. */
export async function getOnboarding(context: Context, caller: Caller, id: string): Promise<OnboardingShown> {
  return renderOnboarding(await requireOwnOnboarding(context, caller, id))
}

/** The matching onboardings, newest first. */
export async function listOnboardings(
  { database }: Context,
  { partnerId }: Caller,
  { status, organizationNumber }: { readonly status?: OnboardingStatus; readonly organizationNumber?: string },
): Promise<OnboardingShown[]> {
  const organisationNumbers =
    organizationNumber === undefined ? undefined : organisationNumberVariants(organizationNumber)
  const filter = { partnerId, status, organisationNumbers }
  const onboardings = await listMatchingOnboardings(database, filter, ONBOARDINGS_LISTED_MAX)
  return onboardings.map(renderOnboarding)
}

/** The partner's onboarding. Throws `ONBOARDING_NOT_FOUND`, also for an onboarding of another partner. */
export async function requireOwnOnboarding(context: Context, { partnerId }: Caller, id: string): Promise<Onboarding> {
  const onboarding = await findOnboarding(context.database, { partnerId, id: id.toLowerCase() })
  if (onboarding === undefined) {
    throw apiError('ONBOARDING_NOT_FOUND', 'There is no onboarding with this id')
  }
  return await expireIfOverdue(context, onboarding)
}

/** The onboarding as it appears in API responses. */
export function renderOnboarding(onboarding: Onboarding): OnboardingShown {
  return {
    id: onboarding.id,
    status: onboarding.status,
    statusReason: onboarding.statusReason,
    country: onboarding.countryCode,
    organizationNumber: onboarding.organisationNumber,
    organizationName: onboarding.organisationName,
    redirectUrl: onboarding.redirectUrl,
    createdAt: formatTimestamp(onboarding.createdAt),
    updatedAt: formatTimestamp(onboarding.updatedAt),
    expiresAt: onboarding.expiresAt === null ? null : formatTimestamp(onboarding.expiresAt),
    tasks: tasksOf(onboarding),
  }
}

/** Limits the length of the printed list. */
const LISTED_MAX = 500

/** The matching onboardings, newest first. */
export async function listOnboardingsForOperators(
  { database }: { readonly database: Queryable },
  filter: { readonly partnerId?: string; readonly status?: OnboardingStatus },
): Promise<readonly Onboarding[]> {
  return await listMatchingOnboardings(database, filter, LISTED_MAX)
}
