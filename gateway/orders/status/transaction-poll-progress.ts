/** Computes from one poll of an order how its transactions changed and how many polls cover all of them. */
import type { BulkObservation } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { isFinalStatus, type Payment } from '../payment.ts'
import { listKnownPayrollTransactions } from '../store/payroll-transaction-store.ts'

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
  if (payment.type !== 'Payroll' || elements.length === 0) {
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
