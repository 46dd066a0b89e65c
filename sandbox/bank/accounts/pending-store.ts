/** Every query on what an account holder sees as pending: signed payments, and other money on its way. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { BankTransaction } from '../bank-context.ts'
import type { Account } from '../fixture.ts'
import { pendingPaymentsFrom } from '../payments/payment-store.ts'
import type { PendingEntryTable } from '../tables.ts'
import type { Entry } from './entry-store.ts'

type Queries = Pick<BankTransaction, 'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom'>

/** What is pending, whatever it comes from. */
export type Pending = Pick<
  Entry,
  | 'lasting_id'
  | 'amount_minor'
  | 'currency'
  | 'value_on'
  | 'counterparty'
  | 'counterparty_account'
  | 'message'
  | 'reference'
  | 'end_to_end_id'
  | 'parts'
  | 'batch_size'
>

/** Everything that is pending on an account, oldest first; entries booked since an instant are shown as well. */
export async function pendingOn(
  queries: Queries,
  { bic: bank, bban }: Pick<Account, 'bic' | 'bban'>,
  bookedSince: Temporal.Instant,
): Promise<readonly Pending[]> {
  const payments = await pendingPaymentsFrom(queries, bank, bban)
  const others = await queries
    .selectFrom('pending_entries')
    .selectAll()
    .where('bank', '=', bank)
    .where('bban', '=', bban)
    .orderBy('position')
    .execute()
  const booked = await queries
    .selectFrom('entries')
    .selectAll()
    .where('bank', '=', bank)
    .where('bban', '=', bban)
    .where(sql<boolean>`booked_at > ${bookedSince.toString()}::timestamptz`)
    .orderBy('position')
    .execute()
  return [
    ...booked,
    ...payments.map((payment) => ({
      ...payment,
      lasting_id: payment.id,
      amount_minor: -payment.amount_minor,
      value_on: payment.execution_on,
      counterparty: payment.creditor_name,
      counterparty_account: payment.bulk_size === null ? payment.creditor : null,
      end_to_end_id: endToEndIdOf(payment),
      parts: null,
      batch_size: payment.bulk_size,
    })),
    ...others.map((other) => ({ ...other, lasting_id: other.id, batch_size: null })),
  ]
}

/** The payer's own id of an order, where the order has one. */
export function endToEndIdOf({ body }: { readonly body: Readonly<Record<string, unknown>> }): string | null {
  const given = body['endToEndIdentification']
  return typeof given === 'string' ? given : null
}

export async function insertPending(queries: Queries, row: Insertable<PendingEntryTable>): Promise<void> {
  await queries.insertInto('pending_entries').values(row).execute()
}

/** Takes what is pending away when its time has come, to be booked. */
export async function takePending(
  queries: Queries,
  id: string,
  dueAt: Temporal.Instant,
): Promise<Selectable<PendingEntryTable> | undefined> {
  return await queries
    .deleteFrom('pending_entries')
    .where('id', '=', id)
    .where(sql<boolean>`due_at <= ${dueAt.toString()}::timestamptz`)
    .returningAll()
    .executeTakeFirst()
}

/** Lets everything that is on its way to an account arrive now; answers how many. Payments take their own time. */
export async function hastenPending(
  queries: Queries,
  { bank, bban }: { readonly bank: string; readonly bban: string },
  now: Temporal.Instant,
): Promise<number> {
  const result = await queries
    .updateTable('pending_entries')
    .set({ due_at: now.toString() })
    .where('bank', '=', bank)
    .where('bban', '=', bban)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
