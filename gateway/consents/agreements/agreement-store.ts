/** Stores agreements: consents that an operator registered. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { expiryNoticeAt } from '../consent.ts'
import { type ConsentKey, consentTables, updateOfConsent } from '../consent-store.ts'

/** Activates a new consent as an agreement, until it ends. */
export async function activateAgreement(
  transaction: Queryable,
  key: ConsentKey,
  { at, until }: { readonly at: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<void> {
  await updateOfConsent(transaction, key)
    .set({
      agreement: true,
      status: 'ACCEPTED',
      accepted_at: at.toString(),
      due_at: expiryNoticeAt({ validUntil: until }).toString(),
    })
    .execute()
}

/** The ids of a partner's agreements, newest first. */
export async function listAgreementIds(database: Queryable, partnerId: string): Promise<readonly string[]> {
  const rows = await consentTables(database)
    .selectFrom('consents')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where('agreement', '=', true)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a consent is an agreement. */
export async function isAgreement(database: Queryable, { partnerId, id }: ConsentKey): Promise<boolean> {
  const row = await consentTables(database)
    .selectFrom('consents')
    .select('agreement')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.agreement === true
}
