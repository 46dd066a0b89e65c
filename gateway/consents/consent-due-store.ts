/** The statements that say when a consent is looked at again, or is ended at its bank. */
import type { Database } from '../foundation/database/database.ts'
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
