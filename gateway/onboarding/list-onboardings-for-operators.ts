/** Lists onboardings across partners for operators, without decrypting personal data. */
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingStatus } from './onboarding.ts'
import { listOnboardingsAcrossPartners } from './onboarding-list-store.ts'

/** Limits the length of the printed list. */
const LISTED_MAX = 500

/** The matching onboardings, newest first. */
export async function listOnboardingsForOperators(
  { database }: { readonly database: Queryable },
  filter: { readonly partnerId?: string; readonly status?: OnboardingStatus },
): Promise<readonly Onboarding[]> {
  return await listOnboardingsAcrossPartners(database, filter, LISTED_MAX)
}
