/** Stores when a consent is polled next, or revoked at its bank. */
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { timestamp } from '../platform/database/sql-fragments.ts'
import { type Consent, expiryNoticeAt } from './consent.ts'
import { type ConsentKey, consentTables, updateOfConsent } from './consent-store.ts'

/** Schedules the next check of a consent in force: earlier when its expiry must be notified before. */
export async function scheduleConsentCheck(
  database: Database<unknown>,
  consent: ConsentKey & Pick<Consent, 'validUntil'>,
  dueAt: Temporal.Instant,
): Promise<void> {
  const [due, notice] = [timestamp(dueAt), timestamp(expiryNoticeAt(consent))]
  await updateOfConsent(database, consent)
    .set({
      due_at: sql<string>`case when expiry_notified_at is null then least(${due}, ${notice}) else ${due} end`,
      lease_until: null,
    })
    .where('status', '=', 'ACCEPTED')
    .execute()
}

/** Records that the expiry of a consent in force was notified; false when it was before. */
export async function recordExpiryNotified(
  database: Queryable,
  key: ConsentKey,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOfConsent(database, key)
    .set({ expiry_notified_at: at.toString() })
    .where('status', '=', 'ACCEPTED')
    .where('expiry_notified_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Schedules the next read of a consent at its bank. */
export async function scheduleConsentRefresh(
  database: Database<unknown>,
  key: ConsentKey,
  refreshAt: Temporal.Instant,
): Promise<void> {
  await updateOfConsent(database, key)
    .set({ refresh_at: refreshAt.toString(), lease_until: null })
    .where('status', '=', 'ACCEPTED')
    .execute()
}

/** Records that an ended consent's tokens are deleted, or when to retry; postponements do not count as attempts. */
export async function recordTokenRelease(
  database: Database<unknown>,
  key: ConsentKey,
  { releaseAt, tried }: { readonly releaseAt: Temporal.Instant | null; readonly tried: boolean },
): Promise<void> {
  await updateOfConsent(database, key)
    .set((column) => ({
      token_release_at: releaseAt?.toString() ?? null,
      token_release_attempts: column('token_release_attempts', '+', tried ? 1 : 0),
      lease_until: null,
    }))
    .execute()
}

/** Whether an ended consent must still be revoked at its bank, and how often releasing its tokens has failed. */
export async function getEndedConsentState(
  database: Database<unknown>,
  key: ConsentKey,
): Promise<{ readonly isRevocationPending: boolean; readonly releaseAttempts: number }> {
  const row = await consentTables(database)
    .selectFrom('consents')
    .select(['revoke_at', 'token_release_attempts'])
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return { isRevocationPending: (row?.revoke_at ?? null) !== null, releaseAttempts: row?.token_release_attempts ?? 0 }
}

/** Records that a consent has been revoked at its bank, or when to retry. */
export async function recordBankRevocation(
  database: Database<unknown>,
  key: ConsentKey,
  revokeAt: Temporal.Instant | null,
): Promise<void> {
  await updateOfConsent(database, key)
    .set((column) => ({
      revoke_at: revokeAt?.toString() ?? null,
      revoke_attempts: column('revoke_attempts', '+', 1),
      lease_until: null,
    }))
    .execute()
}
