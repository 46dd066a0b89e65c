/** Stores when an SCA session is polled next. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared } from '../../platform/database/execute-prepared.ts'
import { UNDECIDED_STATUSES } from '../sca-session.ts'
import { type ScaSessionKey, scaSessionTables } from './sca-session-tables.ts'

/**
 * When the session becomes due; and, in wall time, when the notification arrived, and since when an earlier one
 * suppresses it.
 */
type PollRequest = {
  readonly dueAt: Temporal.Instant
  readonly at: Temporal.Instant
  readonly quietSince: Temporal.Instant
}

/** Brings the next poll forward after a notification, unless there was another one since `quietSince`. */
export async function expediteScaSessionPoll(
  database: Database<unknown>,
  key: ScaSessionKey,
  { dueAt, at, quietSince }: PollRequest,
): Promise<void> {
  const statement = scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ due_at: dueAt.toString(), bank_notified_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '=', 'left')
    .where(sql<boolean>`(bank_notified_at is null or bank_notified_at <= ${quietSince.toString()})`)
    .where(sql<boolean>`due_at > ${dueAt.toString()}`)
  await executePrepared(database, statement)
}

/** Records when the bank was read and when it is read next; the poll job's lease is not changed. */
export async function recordScaSessionPolled(
  database: Database<unknown>,
  key: ScaSessionKey,
  read: { readonly at: Temporal.Instant; readonly dueAt: Temporal.Instant },
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ read_at: read.at.toString(), due_at: read.dueAt.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', 'in', UNDECIDED_STATUSES)
    .execute()
}

/** Postpones the poll of a session that could not be read, or whose owner could not be notified. */
export async function postponeScaSessionPoll(
  database: Database<unknown>,
  key: ScaSessionKey,
  dueAt: Temporal.Instant,
): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ due_at: dueAt.toString(), lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('status', '<>', 'ended')
    .execute()
}

/** Releases the lease of the poll job; only for the job that acquired it. */
export async function releaseScaSessionLease(database: Database<unknown>, key: ScaSessionKey): Promise<void> {
  await scaSessionTables(database)
    .updateTable('sca_sessions')
    .set({ lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/** Whether a session of a consent's user is due at the bank; the consent's own session ended with it. */
export async function hasDueScaSessions(
  database: Database<unknown>,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  const found = await scaSessionTables(database)
    .selectFrom('sca_sessions')
    .select('id')
    .where('sca_provider', '=', consent.bic)
    .where('due_at', 'is not', null)
    .where('partner_id', '=', consent.partnerId)
    .where('consent_id', '=', consent.id)
    .where('kind', '<>', 'consent')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether it has ended, and is still polled for a late signature. */
export async function isAwaitingLateSignature(
  database: Database<unknown>,
  { partnerId, id }: ScaSessionKey,
): Promise<boolean> {
  const found = await scaSessionTables(database)
    .selectFrom('sca_sessions')
    .select('id')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('status', '=', 'ended')
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}
