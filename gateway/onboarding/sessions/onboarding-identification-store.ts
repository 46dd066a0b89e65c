/** The queries on identifications that are under way: one for each browser session, the latest. */

import { onboardingTables, type StoreSurroundings } from '../onboarding-tables.ts'
import { identificationPurpose } from '../signatures/onboarding-signature.ts'
import type { OnboardingSession } from './onboarding-session.ts'

/** An identification that waits for the session's browser to come back. */
export type KeptIdentification = { readonly provider: string; readonly secret: string }
type SessionKey = Pick<OnboardingSession, 'partnerId' | 'id'>

/** Keeps it in place of an earlier one. `at` is wall time. */
export async function keepIdentification(
  { database, seal }: StoreSurroundings,
  { partnerId, id }: SessionKey,
  { provider, secret, at }: KeptIdentification & { readonly at: Temporal.Instant },
): Promise<void> {
  const kept = {
    identity_provider: provider,
    secret_sealed: seal.seal(secret, identificationPurpose(partnerId, id)),
    begun_at: at.toString(),
  }
  await onboardingTables(database)
    .insertInto('onboarding_identifications')
    .values({ partner_id: partnerId, session_id: id, ...kept })
    .onConflict((conflict) => conflict.columns(['partner_id', 'session_id']).doUpdateSet(kept))
    .execute()
}

/** Takes it away: what a browser brings is tried once. */
export async function takeIdentification(
  { database, seal }: StoreSurroundings,
  { partnerId, id }: SessionKey,
): Promise<KeptIdentification | undefined> {
  const row = await onboardingTables(database)
    .deleteFrom('onboarding_identifications')
    .where('partner_id', '=', partnerId)
    .where('session_id', '=', id)
    .returning(['identity_provider as provider', 'secret_sealed as secretSealed'])
    .executeTakeFirst()
  return row && { provider: row.provider, secret: seal.open(row.secretSealed, identificationPurpose(partnerId, id)) }
}
