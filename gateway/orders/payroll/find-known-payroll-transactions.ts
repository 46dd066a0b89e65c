/** Returns the known statuses of the transactions in an order, for the translation of the bank's report. */
import type { KnownBulkTransaction } from '../../banks/connector/bulk-order.ts'
import type { Context } from '../../context.ts'
import type { PaymentKey } from '../payment-store.ts'
import { listKnownPayrollTransactions } from './payroll-transaction-store.ts'

/** Sorted by position. */
export async function findKnownPayrollTransactions(
  { database }: Pick<Context, 'database'>,
  order: PaymentKey,
): Promise<readonly KnownBulkTransaction[]> {
  return await listKnownPayrollTransactions(database, order)
}
