/** Every query on the payments in bulks. */
import { sql } from 'kysely'
import type { BankTransaction } from '../bank-context.ts'
import type { TransactionStatus } from '../payments/payment.ts'
import type { Element } from './bulk-transaction.ts'

type Queries = Pick<BankTransaction, 'selectFrom'>

/** What is known of a payment when it is ordered. */
export type OrderedElement = Pick<
  Element,
  'id' | 'body' | 'rail' | 'creditor' | 'creditor_name' | 'amount_minor' | 'message' | 'reference'
>

/** Keeps the payments of a bulk, in their order. Thousands come in one statement. */
export async function insertElements(
  transaction: BankTransaction,
  bulkId: string,
  elements: readonly OrderedElement[],
): Promise<void> {
  const rows = elements.map((element, position) => ({
    ...element,
    position,
    amount_minor: element.amount_minor.toString(),
  }))
  await sql`
    insert into bulk_elements (
      bulk_id, position, id, body, rail, creditor, creditor_name, amount_minor, message, reference, script_step
    )
    select ${bulkId}::uuid, position, id, body, rail, creditor, creditor_name, amount_minor, message, reference, 0
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as element (
      position integer, id uuid, body jsonb, rail text, creditor text, creditor_name text, amount_minor bigint,
      message text, reference text
    )`.execute(transaction)
}

/** The payments of a bulk, in their order. */
export async function elementsOf(queries: Queries, bulkId: string): Promise<readonly Element[]> {
  return await queries
    .selectFrom('bulk_elements')
    .selectAll()
    .where('bulk_id', '=', bulkId)
    .orderBy('position')
    .execute()
}

/** One of them by its own id. */
export async function elementById(queries: Queries, id: string): Promise<Element | undefined> {
  return await queries.selectFrom('bulk_elements').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The statuses that payments of a bulk have, each once. */
export async function statusesIn(queries: Queries, bulkId: string): Promise<readonly (TransactionStatus | null)[]> {
  const rows = await queries
    .selectFrom('bulk_elements')
    .select('status')
    .distinct()
    .where('bulk_id', '=', bulkId)
    .execute()
  return rows.map(({ status }) => status)
}

export type ElementChange = {
  readonly position: number
  readonly status: TransactionStatus
  readonly text: string | null
  readonly step: number
  readonly dueAt: Temporal.Instant | null
}

/** Changes payments of a bulk, each as is said of it. */
export async function changeElements(
  transaction: BankTransaction,
  bulkId: string,
  changes: readonly ElementChange[],
): Promise<void> {
  const rows = changes.map((change) => ({ ...change, dueAt: change.dueAt?.toString() ?? null }))
  await sql`
    update bulk_elements set
      status = change.status, status_text = change.text, script_step = change.step, due_at = change."dueAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as change (position integer, status text, text text, step integer, "dueAt" timestamptz)
    where bulk_elements.bulk_id = ${bulkId} and bulk_elements.position = change.position`.execute(transaction)
}

/** Lets the payments of a bulk share its status again, as before it was carried out. */
export async function forgetElementStatuses(
  queries: Pick<BankTransaction, 'updateTable'>,
  bulkId: string,
): Promise<void> {
  await queries
    .updateTable('bulk_elements')
    .set({ status: null, status_text: null, script_step: 0, due_at: null })
    .where('bulk_id', '=', bulkId)
    .execute()
}
