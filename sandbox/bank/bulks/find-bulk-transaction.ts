/** Finds a payment of a bulk by its own id, at banks that assign such ids. */
import type { BankContext } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import { paymentById } from '../payments/payment-store.ts'
import { part, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import type { BulkTransaction } from './bulk-transaction.ts'
import { findBulkTransactionById } from './bulk-transaction-store.ts'

/** One payment and its bulk. */
export type LocatedBulkTransaction = { readonly bulk: Payment; readonly element: BulkTransaction }

/** The payment in the path; undefined when it is unknown, or the bank assigns no ids to payments of bulks. */
export async function findBulkTransactionInPath(
  context: BankContext,
  call: Xs2aCall,
): Promise<LocatedBulkTransaction | undefined> {
  if (call.bank.bulk?.elements !== 'own-ids') {
    return undefined
  }
  const { query } = context.database
  const element = await findBulkTransactionById(query, part(call, 'paymentId').toLowerCase())
  const bulk = element && (await paymentById(query, call.bank.bic, element.bulk_id))
  return element === undefined || bulk?.product !== part(call, 'product') ? undefined : { bulk, element }
}
