/** Every query on the payments of bulks. */

import { sql } from 'kysely'
import { selectRows } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { TransactionStatus } from '../xs2a/transaction-status.ts'
import type { BulkTransaction } from './bulk-transaction.ts'

/** The columns that are set when the bulk is ordered. */
export type NewBulkTransaction = Pick<
  BulkTransaction,
  'id' | 'body' | 'rail' | 'creditor' | 'creditor_name' | 'amount_minor' | 'message' | 'reference'
>

/** Inserts the payments of a bulk, in their order, thousands per statement. */
export async function insertBulkTransactions(
  { database }: Context,
  bulkId: string,
  elements: readonly NewBulkTransaction[],
): Promise<void> {
  const rows = elements.map((element, position) => ({
    ...element,
    position,
    amount_minor: element.amount_minor.toString(),
  }))
  await sql`
    insert into bulk_transactions (
      bulk_id, position, id, body, rail, creditor, creditor_name, amount_minor, message, reference, script_step
    )
    select ${bulkId}::uuid, position, id, body, rail, creditor, creditor_name, amount_minor, message, reference, 0
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as element (
      position integer, id uuid, body jsonb, rail text, creditor text, creditor_name text, amount_minor bigint,
      message text, reference text
    )`.execute(database.query)
}

/** In the order of the bulk. */
export async function findBulkTransactions(context: Context, bulkId: string): Promise<readonly BulkTransaction[]> {
  return await selectRows(context, 'bulk_transactions', { bulk_id: bulkId }, { order: ['position'] })
}

/** The distinct statuses of a bulk's payments. */
export async function statusesIn(
  { database }: Context,
  bulkId: string,
): Promise<readonly (TransactionStatus | null)[]> {
  const rows = await database.query
    .selectFrom('bulk_transactions')
    .select('status')
    .distinct()
    .where('bulk_id', '=', bulkId)
    .execute()
  return rows.map(({ status }) => status)
}

export type BulkTransactionChange = {
  readonly position: number
  readonly status: TransactionStatus
  readonly text: string | null
  readonly step: number
  readonly dueAt: Temporal.Instant | null
}

/** Updates payments of a bulk, each with its own changes. */
export async function updateBulkTransactions(
  { database }: Context,
  bulkId: string,
  changes: readonly BulkTransactionChange[],
): Promise<void> {
  const rows = changes.map((change) => ({ ...change, dueAt: change.dueAt?.toString() ?? null }))
  await sql`
    update bulk_transactions set
      status = change.status, status_text = change.text, script_step = change.step, due_at = change."dueAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as change (position integer, status text, text text, step integer, "dueAt" timestamptz)
    where bulk_transactions.bulk_id = ${bulkId} and bulk_transactions.position = change.position`.execute(
    database.query,
  )
}

/** Resets the payments of a bulk to the bulk's status, as before its execution. */
export async function clearBulkTransactionStatuses({ database }: Context, bulkId: string): Promise<void> {
  await database.query
    .updateTable('bulk_transactions')
    .set({ status: null, status_text: null, script_step: 0, due_at: null })
    .where('bulk_id', '=', bulkId)
    .execute()
}
