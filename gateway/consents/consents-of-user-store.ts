/** Queries on all consents of the user of one. */

import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Consent } from './consent.ts'
import { CONSENT, consentTables, decryptConsent } from './consent-store.ts'

/** All consents of a partner at the bank and company of a consent, whose users' ids look like that of its user. */
export async function listConsentsLike(
  context: Context,
  { partnerId, bic, organisationNumber, userIdMasked }: Consent,
): Promise<readonly Consent[]> {
  const rows = await consentTables(context.database)
    .selectFrom('consents')
    .select(CONSENT)
    .where('partner_id', '=', partnerId)
    .where('organisation_number', '=', organisationNumber)
    .where('bic', '=', bic)
    .where('user_id_masked', '=', userIdMasked)
    .execute()
  return rows.map((row) => decryptConsent(context.seal, row))
}

/**
 * Whether a user has another consent at a bank with OAuth grants, of any partner and company: one in force, or one
 * whose user has signed in and is about to accept it. To the bank we are one third party.
 */
export async function hasOtherGrantedConsent(
  context: Context,
  { id, bic, userId, userIdMasked }: Consent,
): Promise<boolean> {
  const rows = await consentTables(context.database)
    .selectFrom('consents')
    .select(CONSENT)
    .where('bic', '=', bic)
    .where((its) => its.or([its('status', '=', 'ACCEPTED'), AWAITS_WITH_TOKENS]))
    .where('id', '<>', id)
    .where(sql<boolean>`user_id_masked is not distinct from ${userIdMasked}`)
    .execute()
  // Unknown users may be the same one, whose newer grant must not end.
  return rows.some((row) => decryptConsent(context.seal, row).userId === userId)
}

const AWAITS_WITH_TOKENS = sql<boolean>`(status = 'AUTHORIZATION_REQUIRED' and exists (
  select from bank_token_subjects s where s.partner_id = consents.partner_id and s.subject_id = consents.id))`
