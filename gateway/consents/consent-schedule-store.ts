/** Stores the transitions of consents, and when they are polled, revoked at their banks, and lose their tokens. */
import { sql } from 'kysely'
import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { timestamp } from '../platform/database/sql-fragments.ts'
import { type Consent, consentTransitions, expiryNoticeAt, hasEnded } from './consent.ts'
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

/** What changes together with the status; no consent becomes pending again. */
export type ConsentTransition = {
  readonly status: Exclude<ConsentStatus, 'AUTHORIZATION_REQUIRED'>
  readonly statusReason?: ConsentStatusReason
  readonly at: Temporal.Instant
  readonly validUntil?: Temporal.Instant
  /** When to check it again; absent if never. */
  readonly dueAt?: Temporal.Instant
  /** When to read it at the bank again. */
  readonly refreshAt?: Temporal.Instant
  /** When to revoke it at the bank; absent if there is nothing to revoke. */
  readonly revokeAt?: Temporal.Instant
}

/**
 * Changes the status; false when the stored status is another one. The tokens of an ended consent are released from
 * then on.
 */
export async function writeConsentTransition(
  database: Queryable,
  consent: ConsentKey & Pick<Consent, 'status'>,
  change: ConsentTransition,
): Promise<boolean> {
  if (!consentTransitions[consent.status].includes(change.status)) {
    return false
  }
  const at = change.at.toString()
  const { numUpdatedRows } = await updateOfConsent(database, consent)
    .set({
      status: change.status,
      status_reason: change.statusReason ?? null,
      updated_at: at,
      due_at: change.dueAt?.toString() ?? null,
      refresh_at: change.refreshAt?.toString() ?? null,
      revoke_at: change.revokeAt?.toString() ?? null,
      // The lease was acquired for the previous state; what the new one requires need not wait for it.
      lease_until: null,
      ...(hasEnded(change) ? { token_release_at: tokenReleaseAt(at) } : {}),
      ...(change.status === 'ACCEPTED' ? { accepted_at: at } : {}),
      ...(change.validUntil === undefined ? {} : { valid_until: change.validUntil.toString() }),
    })
    .where('status', '=', consent.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Schedules the release of tokens that arrived after the consent had ended. */
export async function scheduleTokenRelease(database: Queryable, key: ConsentKey, at: Temporal.Instant): Promise<void> {
  await updateOfConsent(database, key)
    .set({ token_release_at: tokenReleaseAt(at.toString()) })
    .where('status', 'not in', ['AUTHORIZATION_REQUIRED', 'ACCEPTED'])
    .execute()
}

/** Locks a consent and its accounts until the transaction ends. */
export async function lockConsent(database: Queryable, key: ConsentKey): Promise<void> {
  await consentTables(database)
    .selectFrom('consents')
    .select('id')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .forUpdate()
    .execute()
}

/** Null where there are no tokens, as at most banks. */
function tokenReleaseAt(at: string) {
  return sql<string | null>`case when exists (
    select from bank_token_subjects s where s.partner_id = consents.partner_id and s.subject_id = consents.id)
    then ${at}::timestamptz end`
}
