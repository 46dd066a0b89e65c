/** Every query on the bank's payments. */

import { type Insertable, sql, type Updateable } from 'kysely'
import { findRow, lockText, selectRows, updateRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import { nextScriptStep } from '../outcomes/script-steps.ts'
import { statusNotification } from '../push-notifications.ts'
import { isFinalStatus, type TransactionStatus } from '../xs2a/transaction-status.ts'
import type { PaymentTable } from './payment.ts'
import { type Payment, shownStatus } from './payment.ts'

export async function paymentById(
  { database }: Pick<Context, 'database'>,
  bank: string,
  id: string,
): Promise<Payment | undefined> {
  return await findRow({ database }, 'payments', { id, bank })
}

export type PaymentChange = Omit<Updateable<PaymentTable>, 'id' | 'position' | 'changed_at'>

/** Notifies the third party when the status that it sees changes. */
export async function updatePayment(
  context: Context,
  payment: Payment,
  change: PaymentChange,
  at: Temporal.Instant,
): Promise<void> {
  await updateRow(context, 'payments', payment, { ...change, changed_at: at.toString() })
  const shown = shownStatus({ ...payment, status: change.status ?? payment.status })
  if (shown !== shownStatus(payment)) {
    notifyPaymentStatus(context, payment, shown)
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
export async function paymentsByIds(context: Context, ids: readonly string[]): Promise<readonly Payment[]> {
  return await selectRows(context, 'payments', {}, { where: [sql<boolean>`id = any(${ids}::uuid[])`] })
}

/** The newest payments of a bank, or of all banks, newest first. */
export async function paymentsOf(
  context: Context,
  filter: { readonly bank?: string; readonly debtor?: string },
  limit: number,
): Promise<readonly Payment[]> {
  return await selectRows(context, 'payments', filter, { order: ['position'], isDescending: true, limit })
}

/** Authorised payments that are not booked yet: what an account holder sees as pending. */
export async function findPendingPayments(context: Context, bank: string, bban: string): Promise<readonly Payment[]> {
  const where = [sql<boolean>`due_at is not null and status in ('ACSP', 'ACWP')`]
  return await selectRows(context, 'payments', { bank, debtor: bban }, { where, order: ['position'] })
}

/**
 * The newest order equal to another one that was not rejected. Until the transaction ends, other orders from the account
 * wait here: of two equal ones at once, the second finds the first.
 */
export async function findDuplicatePayment(
  { database }: Pick<Context, 'database'>,
  row: Insertable<PaymentTable>,
): Promise<Payment | undefined> {
  await lockText({ database }, `orders ${row.bank} ${row.debtor}`)
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
  context: Context,
  account: { readonly bank: string; readonly bban: string },
  at: Temporal.Instant,
): Promise<void> {
  const values = { bank: account.bank, debtor: account.bban, funds_available: false }
  const unfunded = await selectRows(context, 'payments', values, { where: [sql<boolean>`due_at is not null`] })
  for (const payment of unfunded.filter((one) => nextScriptStep(one)?.action.type !== 'status')) {
    await updateRow(context, 'payments', payment, { due_at: at.toString() })
  }
}
