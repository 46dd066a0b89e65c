/** The statements that say when a consent is looked at again, or is ended at its bank. */
import type { Database } from '../platform/database/database.ts'
import { type ConsentKey, consentTables } from './consent-store.ts'

/** Says when a consent in force is to be looked at again. */
export async function setConsentDue(
  database: Database<unknown>,
  key: ConsentKey,
  dueAt: Temporal.Instant,
): Promise<void> {
  await consentTables(database)
    .updateTable('consents')
    .set({ due_at: dueAt.toString(), lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ACCEPTED')
    .execute()
}

/** Says when the bank is to be asked again whether a consent is in force there. */
export async function setConsentLook(
  database: Database<unknown>,
  key: ConsentKey,
  lookAt: Temporal.Instant,
): Promise<void> {
  await consentTables(database)
    .updateTable('consents')
    .set({ look_at: lookAt.toString(), lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'ACCEPTED')
    .execute()
}

/** Notes that an ended consent's tokens are gone, or when to try again; what is put off is not counted as tried. */
export async function noteRelease(
  database: Database<unknown>,
  key: ConsentKey,
  { releaseAt, tried }: { readonly releaseAt: Temporal.Instant | null; readonly tried: boolean },
): Promise<void> {
  await consentTables(database)
    .updateTable('consents')
    .set((column) => ({
      release_at: releaseAt?.toString() ?? null,
      release_attempts: column('release_attempts', '+', tried ? 1 : 0),
      lease_until: null,
    }))
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/** What an ended consent still has before it: being ended at its bank, and how often its tokens could not be let go. */
export async function standingOfEnded(
  database: Database<unknown>,
  key: ConsentKey,
): Promise<{ readonly isToBeRevoked: boolean; readonly releaseAttempts: number }> {
  const row = await consentTables(database)
    .selectFrom('consents')
    .select(['revoke_at', 'release_attempts'])
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return { isToBeRevoked: (row?.revoke_at ?? null) !== null, releaseAttempts: row?.release_attempts ?? 0 }
}

/** Notes that a consent has been ended at its bank, or when to try again. */
export async function noteRevocation(
  database: Database<unknown>,
  key: ConsentKey,
  revokeAt: Temporal.Instant | null,
): Promise<void> {
  await consentTables(database)
    .updateTable('consents')
    .set((column) => ({
      revoke_at: revokeAt?.toString() ?? null,
      revoke_attempts: column('revoke_attempts', '+', 1),
      lease_until: null,
    }))
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}
