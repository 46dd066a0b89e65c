/** Every query on the bank's payments. */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { executePrepared } from '../../../gateway/platform/database/in-transaction.ts'
import type { Context } from '../context.ts'
import { nextScriptStep } from '../outcomes/script-steps.ts'
import { statusNotification } from '../push-notifications.ts'
import type { NetbankSignatureTable } from '../tables.ts'
import { isFinalStatus, type TransactionStatus } from '../xs2a/transaction-status.ts'
import type { PaymentTable } from './payment.ts'
import { type Payment, shownStatus } from './payment.ts'

export async function paymentById(
  { database }: Pick<Context, 'database'>,
  bank: string,
  id: string,
): Promise<Payment | undefined> {
  const statement = database.query.selectFrom('payments').selectAll().where('id', '=', id).where('bank', '=', bank)
  return (await executePrepared(database, statement)).rows[0]
}

export type PaymentChange = Omit<Updateable<PaymentTable>, 'id' | 'position' | 'changed_at'>

/** Notifies the third party when the status that it sees changes. */
export async function updatePayment(
  context: Context,
  payment: Payment,
  change: PaymentChange,
  at: Temporal.Instant,
): Promise<void> {
  await context.database.query
    .updateTable('payments')
    .set({ ...change, changed_at: at.toString() })
    .where('id', '=', payment.id)
    .execute()
  const status = shownStatus({ ...payment, ...(change.status === undefined ? {} : { status: change.status }) })
  if (status !== shownStatus(payment)) {
    notifyPaymentStatus(context, payment, status)
  }
}

export function notifyPaymentStatus({ push }: Context, payment: Payment, status: TransactionStatus): void {
  const body = { paymentId: payment.id, transactionStatus: status }
  push.send(statusNotification(payment, isFinalStatus(status), body))
}

export async function deletePayment({ database }: Context, payment: Payment): Promise<void> {
  await database.query.deleteFrom('authorisations').where('resource_id', '=', payment.id).execute()
  await database.query.deleteFrom('payments').where('id', '=', payment.id).execute()
}

/** The payments with these ids, in no particular order. */
export async function paymentsByIds({ database }: Context, ids: readonly string[]): Promise<readonly Payment[]> {
  return ids.length === 0
    ? []
    : await database.query
        .selectFrom('payments')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute()
}

/** The newest payments of a bank, or of all banks, newest first. */
export async function paymentsOf(
  { database }: Context,
  filter: { readonly bank?: string; readonly debtor?: string },
  rowsMax: number,
): Promise<readonly Payment[]> {
  let statement = database.query.selectFrom('payments').selectAll().orderBy('position', 'desc').limit(rowsMax)
  if (filter.bank !== undefined) {
    statement = statement.where('bank', '=', filter.bank)
  }
  if (filter.debtor !== undefined) {
    statement = statement.where('debtor', '=', filter.debtor)
  }
  return await statement.execute()
}

/** Authorised payments that are not booked yet: what an account holder sees as pending. */
export async function findPendingPayments(
  { database }: Context,
  bank: string,
  bban: string,
): Promise<readonly Payment[]> {
  return await database.query
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
  { database }: Pick<Context, 'database'>,
  row: Insertable<PaymentTable>,
): Promise<Payment | undefined> {
  return await database.query
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
  { database }: Context,
  account: { readonly bank: string; readonly bban: string },
  at: Temporal.Instant,
): Promise<void> {
  const unfunded = await database.query
    .selectFrom('payments')
    .selectAll()
    .where('bank', '=', account.bank)
    .where('debtor', '=', account.bban)
    .where('due_at', 'is not', null)
    .where('funds_available', '=', false)
    .execute()
  for (const { id } of unfunded.filter((payment) => nextScriptStep(payment)?.action.type !== 'status')) {
    await database.query.updateTable('payments').set({ due_at: at.toString() }).where('id', '=', id).execute()
  }
}

export async function netbankSignaturesOf(
  { database }: Context,
  paymentId: string,
): Promise<readonly Selectable<NetbankSignatureTable>[]> {
  return await database.query.selectFrom('netbank_signatures').selectAll().where('payment_id', '=', paymentId).execute()
}
