/** Stores the lease under which a browser's callback is passed to the bank once. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { type ScaSessionKey, scaSessionTables } from './sca-session-tables.ts'

/** A callback and the step that it returned to. */
export type BankCallback = { readonly returnHash: string; readonly callbackHash: string }

/** Acquires the lease; false when the bank has answered this callback before, or another process is passing it on. */
export async function acquireCallbackLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  { returnHash, callbackHash }: BankCallback,
  { at, until }: { readonly at: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ callback_hash: callbackHash, callback_lease_until: until.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where(sql<boolean>`(callback_hash is distinct from ${callbackHash} or callback_lease_until <= ${at.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases the lease: the bank has answered for good, or the same callback may be passed again. */
export async function releaseCallbackLease(
  database: Database<unknown>,
  key: ScaSessionKey,
  { returnHash, callbackHash }: BankCallback,
  { isAnswered }: { readonly isAnswered: boolean },
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_steps')
    .set({ callback_lease_until: null, ...(isAnswered ? {} : { callback_hash: null }) })
    .where('partner_id', '=', key.partnerId)
    .where('sca_session_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where('callback_hash', '=', callbackHash)
    .execute()
}
