/** Finds the onboarding in a path, if the user may see it. */
import type { Context } from '../../gateway/context.ts'
import { requireOwnOnboarding } from '../../gateway/onboarding/get-onboarding.ts'
import type { Onboarding } from '../../gateway/onboarding/store/onboarding.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { findPartnerOfOnboarding } from './onboarding-store.ts'

/** Throws `not-found` for an unknown id and for an onboarding of a foreign partner, which look the same. */
export async function requireVisibleOnboarding(
  context: Context,
  { viewer, params: { onboardingId = '' } }: Pick<ConsoleRequest, 'viewer' | 'params'>,
): Promise<{ readonly onboarding: Onboarding; readonly partnerName: string }> {
  const partner = isId(onboardingId)
    ? await findPartnerOfOnboarding(context.database, partnerFilterOf(viewer), onboardingId)
    : undefined
  if (partner === undefined) {
    throw apiError('not-found', 'There is no onboarding with this id')
  }
  const onboarding = await requireOwnOnboarding(context, { partnerId: partner.id }, onboardingId)
  return { onboarding, partnerName: partner.name }
}
