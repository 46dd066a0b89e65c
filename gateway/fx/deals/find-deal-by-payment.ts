/** Finds deals for the rooms above: by the payment that each belongs to. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Deal } from './deal.ts'
import { findDeal as findKept } from './deal-store.ts'

/** The deal of a payment; the latest where there were several. */
export async function findDeal(
  database: Queryable,
  payment: { readonly partnerId: string; readonly paymentId: string },
): Promise<Deal | undefined> {
  return await findKept(database, payment)
}
