/** Every query on the bank's payments. */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { executePrepared } from '../../../gateway/platform/database/in-transaction.ts'
import type { BankTransaction, Queries } from '../context.ts'
import { nextScriptStep } from '../outcomes/script-steps.ts'
import { type PushNotification, statusNotification } from '../push-notifications.ts'
import type { NetbankSignatureTable } from '../tables.ts'
import { isFinalStatus, type TransactionStatus } from '../xs2a/transaction-status.ts'
import type { PaymentTable } from './payment.ts'
import { type Payment, shownStatus } from './payment.ts'

export async function insertPayment(queries: Queries, row: Insertable<PaymentTable>): Promise<Payment> {
  return await queries.insertInto('payments').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function paymentById(queries: Queries, bank: string, id: string): Promise<Payment | undefined> {
  const statement = queries.selectFrom('payments').selectAll().where('id', '=', id).where('bank', '=', bank)
  return (await executePrepared({ query: queries }, statement)).rows[0]
}

/** The same at any bank. */
export async function findPaymentAtAnyBank(queries: Queries, id: string): Promise<Payment | undefined> {
  return await queries.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function lockPayment(transaction: BankTransaction, id: string): Promise<Payment | undefined> {
  const statement = transaction.selectFrom('payments').selectAll().where('id', '=', id).forUpdate()
  return (await executePrepared({ query: transaction }, statement)).rows[0]
}

/** A change of a payment; a notification follows when the status changes. */
export type PaymentChange = Omit<Updateable<PaymentTable>, 'id' | 'position' | 'changed_at'>

export async function updatePayment(
  transaction: BankTransaction,
  payment: Payment,
  change: PaymentChange,
  at: Temporal.Instant,
): Promise<readonly PushNotification[]> {
  await transaction
    .updateTable('payments')
    .set({ ...change, changed_at: at.toString() })
    .where('id', '=', payment.id)
    .execute()
  const status = shownStatus({ ...payment, ...(change.status === undefined ? {} : { status: change.status }) })
  return status === shownStatus(payment) ? [] : [paymentNotification(payment, status)]
}

export function paymentNotification(payment: Payment, status: TransactionStatus): PushNotification {
  return statusNotification(payment, isFinalStatus(status), { paymentId: payment.id, transactionStatus: status })
}

export async function deletePayment(transaction: BankTransaction, payment: Payment): Promise<void> {
  await transaction.deleteFrom('authorisations').where('resource_id', '=', payment.id).execute()
  await transaction.deleteFrom('payments').where('id', '=', payment.id).execute()
}

/** The payments with these ids, in no particular order. */
export async function paymentsByIds(queries: Queries, ids: readonly string[]): Promise<readonly Payment[]> {
  return ids.length === 0
    ? []
    : await queries
        .selectFrom('payments')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute()
}

/** The newest payments of a bank, or of all banks, newest first. */
export async function paymentsOf(
  queries: Queries,
  filter: { readonly bank?: string; readonly debtor?: string },
  rowsMax: number,
): Promise<readonly Payment[]> {
  let query = queries.selectFrom('payments').selectAll().orderBy('position', 'desc').limit(rowsMax)
  if (filter.bank !== undefined) {
    query = query.where('bank', '=', filter.bank)
  }
  if (filter.debtor !== undefined) {
    query = query.where('debtor', '=', filter.debtor)
  }
  return await query.execute()
}

/** Authorised payments that are not booked yet: what an account holder sees as pending. */
export async function findPendingPayments(queries: Queries, bank: string, bban: string): Promise<readonly Payment[]> {
  return await queries
    .selectFrom('payments')
    .selectAll()
    .where('bank', '=', bank)
    .where('debtor', '=', bban)
    .where('due_at', 'is not', null)
    .where('status', 'in', ['ACSP', 'ACWP'])
    .orderBy('position')
    .execute()
}

/** The newest order equal to another one that was not rejected. */
export async function findDuplicatePayment(
  queries: Queries,
  row: Insertable<PaymentTable>,
): Promise<Payment | undefined> {
  return await queries
    .selectFrom('payments')
    .selectAll()
    .where('bank', '=', row.bank)
    .where('debtor', '=', row.debtor)
    .where('creditor', '=', row.creditor)
    .where('amount_minor', '=', row.amount_minor)
    .where(sql<boolean>`requested_on = ${row.requested_on}::date`)
    .where('message', 'is not distinct from', row.message ?? null)
    .where('reference', 'is not distinct from', row.reference ?? null)
    .where('status', 'not in', ['RJCT', 'CANC'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Makes payments that lack funds due, because the balance has increased; not those that are rejected in any case. */
export async function retryUnfunded(
  queries: Queries,
  account: { readonly bank: string; readonly bban: string },
  at: Temporal.Instant,
): Promise<void> {
  const unfunded = await queries
    .selectFrom('payments')
    .selectAll()
    .where('bank', '=', account.bank)
    .where('debtor', '=', account.bban)
    .where('due_at', 'is not', null)
    .where('funds_available', '=', false)
    .execute()
  for (const { id } of unfunded.filter((payment) => nextScriptStep(payment)?.action.type !== 'status')) {
    await queries.updateTable('payments').set({ due_at: at.toString() }).where('id', '=', id).execute()
  }
}

export async function netbankSignaturesOf(
  queries: Queries,
  paymentId: string,
): Promise<readonly Selectable<NetbankSignatureTable>[]> {
  return await queries.selectFrom('netbank_signatures').selectAll().where('payment_id', '=', paymentId).execute()
}

export async function insertNetbankSignature(queries: Queries, row: Insertable<NetbankSignatureTable>): Promise<void> {
  await queries.insertInto('netbank_signatures').values(row).execute()
}
