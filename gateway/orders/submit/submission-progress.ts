/** Reports the submission progress of the orders of a payroll, for their submission and cancellation. */
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { findScaExemptPayments, listPayrollOrders } from '../find-orders.ts'
import { type AcknowledgedPayment, isAcknowledged, isOutcomeUnknown, type Payment, permits } from '../payment.ts'
import type { PayrollKey } from '../payroll-order.ts'
import { announcePayrollChanges } from '../status/record-transaction-statuses.ts'
import {
  countTransactionsBySubmission,
  listUnsubmittedPositions,
  recomputePayrollStatus,
  type SubmissionCounts,
} from '../store/payroll-progress-store.ts'

export type { SubmissionCounts } from '../store/payroll-progress-store.ts'

/** Final statuses without a payment. */
const ENDED: ReadonlySet<Payment['status']> = new Set(['Rejected', 'Cancelled'])

/** Returns the numbers of transactions of a payroll by submission progress. */
export async function submissionProgress({ database }: Context, key: PayrollKey): Promise<SubmissionCounts> {
  return await countTransactionsBySubmission(database, key)
}

/** Returns the positions of transactions that are not submitted yet, in ascending order. */
export async function unsubmittedTransactionPositions(
  { database }: Context,
  key: PayrollKey,
): Promise<readonly number[]> {
  return await listUnsubmittedPositions(database, key)
}

/** The orders of a cancelled payroll, by the remaining work. */
export type OrdersToCancel = {
  /** Orders with an unknown outcome, which must be settled first. */
  readonly unknown: readonly Payment[]
  /** Acknowledged orders that are not fully signed, or that the bank accepted without a signature. */
  readonly toCancel: readonly AcknowledgedPayment[]
  /** Acknowledged orders that have not ended unpaid. */
  readonly there: readonly AcknowledgedPayment[]
}

/** Signed orders are the user's decision and are not cancelled. */
export async function findOrdersToCancel(context: Context, key: PayrollKey): Promise<OrdersToCancel> {
  const orders = await listPayrollOrders(context, key)
  const scaExempt = await findScaExemptPayments(context, key.partnerId, orders)
  const there = orders.filter((order) => isAcknowledged(order)).filter(({ status }) => !ENDED.has(status))
  const isOpen = (order: Payment) => permits(order, 'cancel') && (!order.signed || scaExempt.has(order.id))
  return { unknown: orders.filter(isOutcomeUnknown), toCancel: there.filter(isOpen), there }
}

/**
 * Returns how many orders ended unsigned at the bank before the first signature: the user would sign less than was
 * requested. Once a signature has started, the rest continues.
 */
export async function countEndedUnsigned(context: Context, key: PayrollKey): Promise<number> {
  const orders = await listPayrollOrders(context, key)
  const isSigningStarted = orders.some(({ signed, statusReason }) => signed || statusReason === 'PartlySigned')
  const lost = isSigningStarted ? [] : orders.filter(({ outcome, status }) => outcome === 'void' || ENDED.has(status))
  return lost.length === orders.length ? 0 : lost.length
}

/** Updates the status of the payroll, with its events, last in the transaction that changes its progress. */
export async function refreshPayrollStatus(
  transaction: Queryable,
  key: PayrollKey,
  at: Temporal.Instant,
): Promise<void> {
  await announcePayrollChanges(transaction, key, at, await recomputePayrollStatus(transaction, key, at))
}
