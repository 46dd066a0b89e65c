/** Draws the status of a bulk that was carried out from those of the payments in it. */
import type { BankTransaction } from '../bank-context.ts'
import type { Payment, TransactionStatus } from '../payments/payment.ts'
import { statusOfBulk } from './bulk-transaction.ts'
import { statusesIn } from './bulk-transaction-store.ts'

/** What they make of it now. */
export async function drawnStatus(transaction: BankTransaction, bulk: Payment): Promise<TransactionStatus> {
  const statuses = await statusesIn(transaction, bulk.id)
  return statusOfBulk(statuses.map((status) => status ?? bulk.status))
}
