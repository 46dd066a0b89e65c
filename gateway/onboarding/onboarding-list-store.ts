/** The queries by which operators find onboardings: unlike partners, they look across partners. */
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingKey, OnboardingStatus } from './onboarding.ts'
import { ONBOARDING } from './onboarding-store.ts'
import { onboardingTables } from './onboarding-tables.ts'

/** Whose onboarding an id is; undefined when it is nobody's. */
export async function findOnboardingAnywhere(database: Queryable, id: string): Promise<OnboardingKey | undefined> {
  return await onboardingTables(database)
    .selectFrom('onboardings')
    .select(['partner_id as partnerId', 'id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The newest onboardings that match, `limit` at most. */
export async function listOnboardingsAnywhere(
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
