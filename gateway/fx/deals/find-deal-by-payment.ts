/** Finds the deal of a payment, for modules outside FX. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Deal } from './deal.ts'
import { findDeal as findStoredDeal } from './deal-store.ts'

/** The latest deal of a payment. */
export async function findDeal(
  database: Queryable,
  payment: { readonly partnerId: string; readonly paymentId: string },
): Promise<Deal | undefined> {
  return await findStoredDeal(database, payment)
}
