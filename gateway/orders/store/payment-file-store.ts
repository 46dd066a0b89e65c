/** Queries on payment files. */
import type { ColumnType, Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { FileState, PaymentFile } from '../payment-file.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

type Tables = {
  payment_files: {
    partner_id: string
    id: string
    bic: string
    message_id: string
    state: FileState
    attempt: ColumnType<string | null, string | null | undefined, string | null>
    created_at: Instant
    reported_at: MaybeInstant
    due_at: MaybeInstant
    lease_until: MaybeInstant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const FILE = [
  'partner_id as partnerId',
  'id',
  'bic',
  'message_id as messageId',
  'state',
  'attempt',
  'created_at as createdAt',
  'reported_at as reportedAt',
] as const

export type FileKey = Pick<PaymentFile, 'partnerId' | 'id'>

/** Enqueues a file that is due at once. */
export async function insertFile(
  transaction: Queryable,
  { partnerId, id, bic, messageId, createdAt }: Omit<PaymentFile, 'state' | 'attempt' | 'reportedAt'>,
): Promise<void> {
  const at = createdAt.toString()
  await tables(transaction)
    .insertInto('payment_files')
    .values({ partner_id: partnerId, id, bic, message_id: messageId, state: 'waiting', created_at: at, due_at: at })
    .execute()
}

export async function findFile(database: Database<unknown>, key: FileKey): Promise<PaymentFile | undefined> {
  return await tables(database)
    .selectFrom('payment_files')
    .select(FILE)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
}

/** The file to which a bank report refers; reports name neither partner nor payment. */
export async function findFileByMessage(
  database: Database<unknown>,
  bic: string,
  messageId: string,
): Promise<PaymentFile | undefined> {
  return await tables(database)
    .selectFrom('payment_files')
    .select(FILE)
    .where('bic', '=', bic)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
}

/** A state transition, and when the file is processed next. */
export type FileTransition = {
  readonly from: FileState
  readonly to: FileState
  readonly attempt?: string
  readonly dueAt: Temporal.Instant | null
}

/** Returns false if the file is no longer in the state `from`. */
export async function changeFileState(database: Queryable, key: FileKey, transition: FileTransition): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('payment_files')
    .set({
      state: transition.to,
      due_at: transition.dueAt?.toString() ?? null,
      ...(transition.attempt === undefined ? {} : { attempt: transition.attempt }),
      // The worker goes on after these two states, to submit the file or to record its end: the lease stays.
      ...(transition.to === 'prepared' || transition.to === 'withdrawn' ? {} : { lease_until: null }),
    })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('state', '=', transition.from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Schedules the next processing of a file, or none, and releases its lease. */
export async function postponeFile(database: Queryable, key: FileKey, dueAt: Temporal.Instant | null): Promise<void> {
  await tables(database)
    .updateTable('payment_files')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/** Records the time of the newest report on a file. */
export async function recordReportTime(database: Queryable, key: FileKey, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('payment_files')
    .set({ reported_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where((its) => its.or([its('reported_at', 'is', null), its('reported_at', '<', at as never)]))
    .execute()
}
