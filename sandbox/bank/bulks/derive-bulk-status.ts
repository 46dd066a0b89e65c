/** Derives the status of an executed bulk from those of its payments. */
import type { BankTransaction } from '../bank-context.ts'
import type { Payment, TransactionStatus } from '../payments/payment.ts'
import { statusOfBulk } from './bulk-transaction.ts'
import { statusesIn } from './bulk-transaction-store.ts'

export async function deriveBulkStatus(transaction: BankTransaction, bulk: Payment): Promise<TransactionStatus> {
  const statuses = await statusesIn(transaction, bulk.id)
  return statusOfBulk(statuses.map((status) => status ?? bulk.status))
}
