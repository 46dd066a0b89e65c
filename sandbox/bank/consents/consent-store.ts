/** Every query on the bank's consents, their accounts and their counted reads, but those of rows by their id. */
import { executePrepared } from '../../../gateway/platform/database/in-transaction.ts'
import { isId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import type { Tables } from '../tables.ts'
import type { Consent } from './consent.ts'

/** An account on a consent, with a resource id that is specific to the consent. */
export type OpenedAccount = Tables['consent_accounts']

export async function consentById({ database }: Context, bank: string, id: string): Promise<Consent | undefined> {
  const statement = database.query.selectFrom('consents').selectAll().where('id', '=', id).where('bank', '=', bank)
  return isId(id) ? (await executePrepared(database, statement)).rows[0] : undefined
}

/** Other valid recurring consents of the same user and company. */
export async function olderRecurringConsents({ database }: Context, consent: Consent): Promise<readonly Consent[]> {
  return await database.query
    .selectFrom('consents')
    .selectAll()
    .where('bank', '=', consent.bank)
    .where('status', '=', 'valid')
    .where('recurring', '=', true)
    .where('psu_id', 'is not distinct from', consent.psu_id)
    .where('corporate_id', 'is not distinct from', consent.corporate_id)
    .where('id', '!=', consent.id)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertOpenedAccounts({ database }: Context, rows: readonly OpenedAccount[]): Promise<void> {
  if (rows.length > 0) {
    await database.query
      .insertInto('consent_accounts')
      .values([...rows])
      .execute()
  }
}

export async function openedAccounts({ database }: Context, consentId: string): Promise<readonly OpenedAccount[]> {
  return await database.query
    .selectFrom('consent_accounts')
    .selectAll()
    .where('consent_id', '=', consentId)
    .orderBy('bban')
    .execute()
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

export async function consentsOf({ database }: Context, rowsMax: number): Promise<readonly Consent[]> {
  return await database.query.selectFrom('consents').selectAll().orderBy('created_at', 'desc').limit(rowsMax).execute()
}
