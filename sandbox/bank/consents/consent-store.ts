/** Every query on the bank's consents, their accounts and their counted reads, but those of rows by their id. */

import { sql } from 'kysely'
import { isId } from '../../../gateway/platform/ids.ts'
import { findRow, lockText, requireOne, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Tables } from '../tables.ts'
import type { Consent } from './consent.ts'

/** An account on a consent, with a resource id that is specific to the consent. */
export type OpenedAccount = Tables['consent_accounts']

export async function consentById(context: Context, bank: string, id: string): Promise<Consent | undefined> {
  return isId(id) ? await findRow(context, 'consents', { id, bank }) : undefined
}

/**
 * Other valid recurring consents of the same user and company. Until the transaction ends, others of the user wait here: of
 * two that are signed at once, the second finds the first.
 */
export async function olderRecurringConsents(context: Context, consent: Consent): Promise<readonly Consent[]> {
  await lockText(context, `consents ${consent.bank} ${consent.psu_id}`)
  const where = [
    sql<boolean>`psu_id is not distinct from ${consent.psu_id}`,
    sql<boolean>`corporate_id is not distinct from ${consent.corporate_id}`,
    sql<boolean>`id <> ${consent.id}`,
  ]
  const values = { bank: consent.bank, status: 'valid', recurring: true } as const
  return await selectRows(context, 'consents', values, { where, order: ['id'], lock: true })
}

export async function openedAccounts(context: Context, consentId: string): Promise<readonly OpenedAccount[]> {
  return await selectRows(context, 'consent_accounts', { consent_id: consentId }, { order: ['bban'] })
}

/** Counts a read without the user, and returns the day's number of reads of its kind. */
export async function countRead(
  { database }: Context,
  {
    consentId,
    day,
    subject,
  }: { readonly consentId: string; readonly day: Temporal.PlainDate; readonly subject: string },
): Promise<number> {
  const counted = await sql<{ count: number }>`
    insert into consent_reads (consent_id, read_on, subject, count) values (${consentId}, ${day.toString()}, ${subject}, 1)
    on conflict (consent_id, read_on, subject) do update set count = consent_reads.count + 1
    returning count`.execute(database.query)
  return requireOne(counted).count
}

/** The newest first. */
export async function latestConsents(context: Context, limit: number): Promise<readonly Consent[]> {
  return await selectRows(context, 'consents', {}, { order: ['created_at'], isDescending: true, limit })
}
