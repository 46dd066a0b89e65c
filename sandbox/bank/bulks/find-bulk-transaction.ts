/** Finds a payment of a bulk by an id of its own, at banks that give such ids. */
import type { BankContext } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import { paymentById } from '../payments/payment-store.ts'
import { part, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import type { Element } from './bulk-transaction.ts'
import { elementById } from './bulk-transaction-store.ts'

/** One payment, and the bulk that it lies in. */
export type PlacedElement = { readonly bulk: Payment; readonly element: Element }

/** The payment in the path; undefined when the bank has no such payment, or knows none by ids of their own. */
export async function ownElement(context: BankContext, call: Xs2aCall): Promise<PlacedElement | undefined> {
  if (call.bank.bulk?.elements !== 'own-ids') {
    return undefined
  }
  const { query } = context.database
  const element = await elementById(query, part(call, 'paymentId').toLowerCase())
  const bulk = element && (await paymentById(query, call.bank.bic, element.bulk_id))
  return element === undefined || bulk?.product !== part(call, 'product') ? undefined : { bulk, element }
}
