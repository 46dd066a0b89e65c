/** Queries on payment files. */
import { type Kysely, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import type { FileState, PaymentFile } from '../payment-file.ts'
import { bulkIdOf } from '../payroll-order.ts'

type Tables = {
  payment_files: TableOf<
    PaymentFile & { readonly dueAt: Temporal.Instant | null; readonly leaseUntil: Temporal.Instant | null }
  >
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const FILE = columnsOf('partnerId', 'id', 'bic', 'messageId', 'state', 'attempt', 'createdAt', 'reportedAt')

/** Enqueues a file that is due at once, with an id that Havn assigns for the bank, in the transaction that stores its order. */
export async function insertFile(
  transaction: Queryable,
  file: Omit<PaymentFile, 'messageId' | 'state' | 'attempt' | 'reportedAt'>,
): Promise<void> {
  const messageId = bulkIdOf(file.id)
  await sql`
    update payments set outcome = 'known', bank_payment_id = ${messageId}, recover_at = null, poll_at = null
    where ${hasKey(file)}`.execute(transaction.query)
  await tables(transaction)
    .insertInto('payment_files')
    .values(rowOf({ ...file, messageId, state: 'waiting' as const, dueAt: file.createdAt }))
    .execute()
}

export async function findFile(database: Database<unknown>, key: RowKey): Promise<PaymentFile | undefined> {
  return await tables(database).selectFrom('payment_files').select(FILE).where(hasKey(key)).executeTakeFirst()
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
export async function changeFileState(database: Queryable, key: RowKey, transition: FileTransition): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('payment_files')
    .set({
      state: transition.to,
      due_at: transition.dueAt?.toString() ?? null,
      ...(transition.attempt === undefined ? {} : { attempt: transition.attempt }),
      // The worker goes on after these two states, to submit the file or to record its end: the lease stays.
      ...(transition.to === 'prepared' || transition.to === 'withdrawn' ? {} : { lease_until: null }),
    })
    .where(hasKey(key))
    .where('state', '=', transition.from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Schedules the next processing of a file, or none, and releases its lease. */
export async function postponeFile(database: Queryable, key: RowKey, dueAt: Temporal.Instant | null): Promise<void> {
  await tables(database)
    .updateTable('payment_files')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where(hasKey(key))
    .execute()
}

/** Records the time of the newest report on a file. */
export async function recordReportTime({ query }: Queryable, key: RowKey, at: Temporal.Instant): Promise<void> {
  await sql`
    update payment_files set reported_at = greatest(reported_at, ${timestamp(at)}) where ${hasKey(key)}`.execute(query)
}
