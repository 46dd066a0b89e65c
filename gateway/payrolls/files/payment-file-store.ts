/** Every query on the files that are on their way to banks. */
import type { ColumnType, Kysely } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { FileState, PaymentFile } from './payment-file.ts'

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

/** What identifies a file. */
export type FileKey = Pick<PaymentFile, 'partnerId' | 'id'>

/** Keeps that a file is to be sent, now. */
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

/** One file. */
export async function findFile(database: Database<unknown>, key: FileKey): Promise<PaymentFile | undefined> {
  return await tables(database)
    .selectFrom('payment_files')
    .select(FILE)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
}

/** The file that a report of a bank is on; reports name neither partner nor payment. */
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

/** A file as it was, what it becomes, and when it is seen to next. */
export type FileMove = {
  readonly from: FileState
  readonly to: FileState
  readonly attempt?: string
  readonly dueAt: Temporal.Instant | null
}

/** Moves a file on; false when somebody else was quicker. */
export async function moveFile(database: Queryable, key: FileKey, move: FileMove): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('payment_files')
    .set({
      state: move.to,
      due_at: move.dueAt?.toString() ?? null,
      ...(move.attempt === undefined ? {} : { attempt: move.attempt }),
      // Whoever prepared it goes on to hand it over, and whoever withdrew it to say so.
      ...(move.to === 'prepared' || move.to === 'withdrawn' ? {} : { lease_until: null }),
    })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('state', '=', move.from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Has a file seen to at another time, or not any more, and gives its lease back. */
export async function postponeFile(database: Queryable, key: FileKey, dueAt: Temporal.Instant | null): Promise<void> {
  await tables(database)
    .updateTable('payment_files')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/** Notes when the newest report on a file was written. */
export async function noteReported(database: Queryable, key: FileKey, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('payment_files')
    .set({ reported_at: at.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where((its) => its.or([its('reported_at', 'is', null), its('reported_at', '<', at as never)]))
    .execute()
}
