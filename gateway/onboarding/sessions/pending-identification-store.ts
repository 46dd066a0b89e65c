/** Queries on identifications in progress: at most one for each browser session. */

import type { Context } from '../../context.ts'
import { onboardingTables } from '../onboarding-tables.ts'
import { identificationPurpose } from '../signatures/onboarding-signature.ts'
import type { OnboardingSession } from './onboarding-session.ts'

/** An identification that waits for its callback. */
export type PendingIdentification = { readonly provider: string; readonly secret: string }
type SessionKey = Pick<OnboardingSession, 'partnerId' | 'id'>

/** Stores the identification in place of an earlier one. `at` is wall time. */
export async function saveIdentification(
  { database, seal }: Context,
  { partnerId, id }: SessionKey,
  { provider, secret, at }: PendingIdentification & { readonly at: Temporal.Instant },
): Promise<void> {
  const columns = {
    identity_provider: provider,
    secret_sealed: seal.seal(secret, identificationPurpose(partnerId, id)),
    started_at: at.toString(),
  }
  await onboardingTables(database)
    .insertInto('onboarding_identifications')
    .values({ partner_id: partnerId, session_id: id, ...columns })
    .onConflict((conflict) => conflict.columns(['partner_id', 'session_id']).doUpdateSet(columns))
    .execute()
}

/** Deletes and returns the identification: each callback is handled once. */
export async function consumeIdentification(
  { database, seal }: Context,
  { partnerId, id }: SessionKey,
): Promise<PendingIdentification | undefined> {
  const row = await onboardingTables(database)
    .deleteFrom('onboarding_identifications')
    .where('partner_id', '=', partnerId)
    .where('session_id', '=', id)
    .returning(['identity_provider as provider', 'secret_sealed as secretSealed'])
    .executeTakeFirst()
  return row && { provider: row.provider, secret: seal.open(row.secretSealed, identificationPurpose(partnerId, id)) }
}
