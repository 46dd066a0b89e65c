/** Lists onboardings to operators, across partners; nothing that people wrote is opened for it. */
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingStatus } from './onboarding.ts'
import { listOnboardingsAnywhere } from './onboarding-list-store.ts'

/** More would not fit a screen. */
const LISTED_MAX = 500

/** The newest that match. */
export async function listForOperators(
  { database }: { readonly database: Queryable },
  wanted: { readonly partnerId?: string; readonly status?: OnboardingStatus },
): Promise<readonly Onboarding[]> {
  return await listOnboardingsAnywhere(database, wanted, LISTED_MAX)
}
