/** Queries that find onboardings across partners, for operators. */
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingKey, OnboardingStatus } from './onboarding.ts'
import { ONBOARDING } from './onboarding-store.ts'
import { onboardingTables } from './onboarding-tables.ts'

/** The key of the onboarding with this id; undefined when there is none. */
export async function findOnboardingAcrossPartners(
  database: Queryable,
  id: string,
): Promise<OnboardingKey | undefined> {
  return await onboardingTables(database)
    .selectFrom('onboardings')
    .select(['partner_id as partnerId', 'id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The matching onboardings, newest first, at most `limit`. */
export async function listOnboardingsAcrossPartners(
  database: Queryable,
  { partnerId, status }: { readonly partnerId?: string; readonly status?: OnboardingStatus },
  limit: number,
): Promise<readonly Onboarding[]> {
  let query = onboardingTables(database).selectFrom('onboardings').select(ONBOARDING)
  if (partnerId !== undefined) {
    query = query.where('partner_id', '=', partnerId)
  }
  if (status !== undefined) {
    query = query.where('status', '=', status)
  }
  return await query.orderBy('id', 'desc').limit(limit).execute()
}
