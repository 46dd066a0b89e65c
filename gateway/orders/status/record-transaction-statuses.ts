/** Records the bank's statuses of the transactions in an order and updates that of the payroll; returns those known before. */
import type { BulkObservation, KnownBulkTransaction } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollPayment } from '../payment.ts'
import type { PaymentKey } from '../store/payment-store.ts'
import { recomputePayrollStatus } from '../store/payroll-status-store.ts'
import {
  clearTransactionStatuses,
  listKnownPayrollTransactions,
  updateTransactionStatuses,
} from '../store/payroll-transaction-store.ts'
import { announcePayrollChanges } from './announce-payroll-changes.ts'

/**
 * Runs last in the transaction that records the status of the order, because it enqueues the events. Without single
 * statuses, the order's applies to all its transactions.
 */
export async function recordTransactionStatuses(
  transaction: Queryable,
  payment: PayrollPayment,
  { elements, status }: BulkObservation,
  { at, orderChanged }: { readonly at: Temporal.Instant; readonly orderChanged: boolean },
): Promise<void> {
  const { partnerId, ordered } = payment
  const key = { partnerId, payrollId: ordered.payrollId }
  const reported = { elements: elements ?? [], at }
  const isUnknown = elements === undefined && status === null
  const transactionsChanged =
    elements === undefined
      ? !isUnknown && (await clearTransactionStatuses(transaction, payment))
      : await updateTransactionStatuses(transaction, key, ordered.first, reported)
  if (orderChanged || transactionsChanged) {
    await announcePayrollChanges(transaction, key, at, await recomputePayrollStatus(transaction, key, at))
  } else if (payment.pollStep === 0) {
    // The process that recorded the acknowledgement may have ended before it updated the payroll's status.
    const change = await recomputePayrollStatus(transaction, key, null)
    if (change.status !== change.previousStatus) {
      await announcePayrollChanges(transaction, key, at, change)
    }
  }
}

/** The known statuses of the transactions in an order, sorted by position, for the translation of the bank's report. */
export async function findKnownPayrollTransactions(
  { database }: Context,
  order: PaymentKey,
): Promise<readonly KnownBulkTransaction[]> {
  return await listKnownPayrollTransactions(database, order)
}
