/** Stores the transitions of consents: of several concurrent ones, one succeeds. */
import { sql } from 'kysely'
import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { type Consent, consentTransitions, hasEnded } from './consent.ts'
import { type ConsentKey, consentTables, updateOfConsent } from './consent-store.ts'

/** What changes together with the status. */
export type ConsentTransition = {
  readonly status: ConsentStatus
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
