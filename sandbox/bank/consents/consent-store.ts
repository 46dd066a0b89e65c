/** Every query on the bank's consents, their accounts and their counted reads, but those of rows by their id. */

import { sql } from 'kysely'
import { isId } from '../../../gateway/platform/ids.ts'
import { findRow, selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Tables } from '../tables.ts'
import type { Consent } from './consent.ts'

/** An account on a consent, with a resource id that is specific to the consent. */
export type OpenedAccount = Tables['consent_accounts']

export async function consentById(context: Context, bank: string, id: string): Promise<Consent | undefined> {
  return isId(id) ? await findRow(context, 'consents', { id, bank }) : undefined
}

/** Other valid recurring consents of the same user and company. */
export async function olderRecurringConsents(context: Context, consent: Consent): Promise<readonly Consent[]> {
  const where = [
    sql<boolean>`psu_id is not distinct from ${consent.psu_id}`,
    sql<boolean>`corporate_id is not distinct from ${consent.corporate_id}`,
    sql<boolean>`id <> ${consent.id}`,
  ]
  const values = { bank: consent.bank, status: 'valid', recurring: true } as const
  return await selectRows(context, 'consents', values, { where, order: ['id'], lock: true })
}

export async function insertOpenedAccounts({ database }: Context, rows: readonly OpenedAccount[]): Promise<void> {
  if (rows.length > 0) {
    await database.query
      .insertInto('consent_accounts')
      .values([...rows])
      .execute()
  }
}

export async function openedAccounts(context: Context, consentId: string): Promise<readonly OpenedAccount[]> {
  return await selectRows(context, 'consent_accounts', { consent_id: consentId }, { order: ['bban'] })
}

/** Counts a read without the user, and returns the day's number of reads of its kind. */
export async function countRead(
  { database }: Context,
  read: { readonly consentId: string; readonly day: Temporal.PlainDate; readonly subject: string },
): Promise<number> {
  const { count } = await database.query
    .insertInto('consent_reads')
    .values({ consent_id: read.consentId, read_on: read.day.toString(), subject: read.subject, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['consent_id', 'read_on', 'subject']).doUpdateSet((row) => ({
        count: row('consent_reads.count', '+', 1),
      })),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return count
}

/** The newest first. */
export async function latestConsents(context: Context, limit: number): Promise<readonly Consent[]> {
  return await selectRows(context, 'consents', {}, { order: ['created_at'], isDescending: true, limit })
}
