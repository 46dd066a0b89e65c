/** Records the bank's statuses of the transactions in an order and updates that of the payroll; returns those known before. */

import { payrollEventTypes, payrollTransactionEventTypes } from '../../../contract/webhooks/event-types.ts'
import { TRANSACTIONS_PER_EVENT_MAX } from '../../../contract/webhooks/webhook-events.ts'
import type { BulkObservation } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { enqueueSelectedEvents, findEventSelection } from '../../webhooks/events/enqueue-selected-events.ts'
import type { ReportedChange } from '../../webhooks/store/event.ts'
import { transactionsOf } from '../instruction.ts'
import { isFinalStatus, type Payment } from '../payment.ts'
import type { PayrollKey } from '../payroll-order.ts'
import {
  type PayrollStatusChange,
  recomputePayrollStatus,
  recordAnnouncedStatuses,
  type TransactionStatusChange,
} from '../store/payroll-progress-store.ts'
import {
  clearTransactionStatuses,
  listKnownPayrollTransactions,
  updateTransactionStatuses,
} from '../store/payroll-transaction-store.ts'

/**
 * Runs last in the transaction that records the status of the order, because it enqueues the events; a payment has no
 * transactions with a status of their own. Without single statuses, the order's applies to all.
 */
export async function recordTransactionStatuses(
  transaction: Queryable,
  payment: Payment,
  { elements, status }: BulkObservation,
  { at, orderChanged }: { readonly at: Temporal.Instant; readonly orderChanged: boolean },
): Promise<void> {
  const key = transactionsOf(payment)
  if (key === undefined) {
    return
  }
  const reported = { elements: elements ?? [], at }
  const isUnknown = elements === undefined && status === null
  const transactionsChanged =
    elements === undefined
      ? !isUnknown && (await clearTransactionStatuses(transaction, payment))
      : await updateTransactionStatuses(transaction, key, reported)
  if (orderChanged || transactionsChanged) {
    await refreshPayrollStatus(transaction, key, at)
  } else if (payment.pollStep === 0) {
    // The process that recorded the acknowledgement may have ended before it updated the payroll's status.
    const change = await recomputePayrollStatus(transaction, key, null)
    if (change.status !== change.previousStatus) {
      await announcePayrollChanges(transaction, key, at, change)
    }
  }
}

/** Updates the status of the payroll, with its events, last in the transaction that changes its progress. */
export async function refreshPayrollStatus(
  transaction: Queryable,
  key: PayrollKey,
  at: Temporal.Instant,
): Promise<void> {
  await announcePayrollChanges(transaction, key, at, await recomputePayrollStatus(transaction, key, at))
}

/** Must be called last in the transaction that changed the status of the payroll or of its transactions. */
export async function announcePayrollChanges(
  transaction: Queryable,
  key: PayrollKey,
  at: Temporal.Instant,
  change: PayrollStatusChange,
): Promise<void> {
  const { partnerId, payrollId } = key
  const selects = await findEventSelection(transaction, partnerId)
  const selectsTransactions = Object.values(payrollTransactionEventTypes).some((type) => selects(type))
  const transactions = selectsTransactions ? await recordAnnouncedStatuses(transaction, key) : []
  const { previousStatus, status } = change
  const own = { type: payrollEventTypes[status], subjectId: payrollId, data: { payrollId, previousStatus, status } }
  const changes = changesOfTransactions(payrollId, transactions)
  const all = status === previousStatus ? changes : [...changes, own]
  await enqueueSelectedEvents(transaction, { partnerId, at, selects }, all)
}

/** One event for each status, or several if many transactions have changed to it. */
function changesOfTransactions(payrollId: string, changed: readonly TransactionStatusChange[]): ReportedChange[] {
  const byStatus = Map.groupBy(changed, ({ status }) => status)
  return [...byStatus].flatMap(([status, group]) =>
    Array.from({ length: Math.ceil(group.length / TRANSACTIONS_PER_EVENT_MAX) }, (_, page) => {
      const first = page * TRANSACTIONS_PER_EVENT_MAX
      const transactions = group
        .slice(first, first + TRANSACTIONS_PER_EVENT_MAX)
        .map(({ position, previousStatus, statusReason }) => ({ position, previousStatus, statusReason }))
      const data = { payrollId, status, transactions }
      return { type: payrollTransactionEventTypes[status], subjectId: payrollId, data }
    }),
  )
}

/** Whether a transaction's status changed, and how many such polls cover all open transactions. */
export type TransactionPollProgress = { readonly changed: boolean; readonly readings: number }

/** Limits the polling rate for banks that report few transactions per poll. */
const READINGS_MAX = 10

/** Returns no progress for payments and for orders without single statuses. */
export async function transactionPollProgress(
  { database }: Context,
  payment: Payment,
  { elements = [] }: BulkObservation,
): Promise<TransactionPollProgress> {
  if (transactionsOf(payment) === undefined || elements.length === 0) {
    return { changed: false, readings: 1 }
  }
  const known = await listKnownPayrollTransactions(database, payment)
  const reported = new Set(elements.map(({ position }) => position))
  const changed = elements.some(({ position, status }) => status !== null && status !== known[position]?.status)
  const isOpen = (status: (typeof known)[number]['status'], position: number) =>
    !reported.has(position) && (status === null || !isFinalStatus(status))
  const open = known.filter(({ status }, position) => isOpen(status, position)).length
  return { changed, readings: Math.min(READINGS_MAX, Math.ceil((reported.size + open) / reported.size)) }
}
