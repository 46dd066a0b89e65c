/** The statements that move a consent on: of several that come at the same time, one wins. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { type Consent, consentMayBecome, hasEnded } from './consent.ts'
import { type ConsentKey, consentTables } from './consent-store.ts'

/** What changes together with the status. */
export type ConsentChange = {
  readonly status: ConsentStatus
  readonly statusReason?: ConsentStatusReason
  readonly at: Temporal.Instant
  readonly validUntil?: Temporal.Instant
  /** When to see to it again; absent when nothing is to be expected. */
  readonly dueAt?: Temporal.Instant
  /** When to ask the bank whether it is still in force there. */
  readonly lookAt?: Temporal.Instant
  /** When to end it at the bank; absent when there is nothing to end. */
  readonly revokeAt?: Temporal.Instant
}

/** Moves a consent on; false when its status was another by now. The tokens of one that ends are let go from then on. */
export async function moveConsent(
  database: Kysely<unknown> | Transaction<unknown>,
  consent: ConsentKey & Pick<Consent, 'status'>,
  change: ConsentChange,
): Promise<boolean> {
  if (!consentMayBecome[consent.status].includes(change.status)) {
    return false
  }
  const at = change.at.toString()
  const { numUpdatedRows } = await consentTables({ query: database })
    .updateTable('consents')
    .set({
      status: change.status,
      status_reason: change.statusReason ?? null,
      updated_at: at,
      due_at: change.dueAt?.toString() ?? null,
      look_at: change.lookAt?.toString() ?? null,
      revoke_at: change.revokeAt?.toString() ?? null,
      // Whoever holds it does so for what it was; what it calls for now need not wait for that.
      lease_until: null,
      ...(hasEnded(change) ? { release_at: releasedFrom(at) } : {}),
      ...(change.status === 'ACCEPTED' ? { accepted_at: at } : {}),
      ...(change.validUntil === undefined ? {} : { valid_until: change.validUntil.toString() }),
    })
    .where('partner_id', '=', consent.partnerId)
    .where('id', '=', consent.id)
    .where('status', '=', consent.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Has the tokens of an ended consent let go that came after its end. */
export async function releaseConsent(database: Queryable, key: ConsentKey, at: Temporal.Instant): Promise<void> {
  await consentTables(database)
    .updateTable('consents')
    .set({ release_at: releasedFrom(at.toString()) })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', 'not in', ['AUTHORIZATION_REQUIRED', 'ACCEPTED'])
    .execute()
}

/** Keeps others from changing a consent, or its accounts, until the transaction ends. */
export async function lockConsent(database: Queryable, key: ConsentKey): Promise<void> {
  await consentTables(database)
    .selectFrom('consents')
    .select('id')
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .forUpdate()
    .execute()
}

/** Null where there are no tokens: most banks have none. */
function releasedFrom(at: string) {
  return sql<string | null>`case when exists (
    select from bank_token_subjects s where s.partner_id = consents.partner_id and s.subject_id = consents.id)
    then ${at}::timestamptz end`
}
