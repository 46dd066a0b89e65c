/** Queries over many payments: lists, narrowed and page by page in an order that an index serves, and how each began. */
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { Database } from '../platform/database/database.ts'
import { hasEndToEndId } from './end-to-end-id-condition.ts'
import { isInList, orderOf } from './order-list-filter.ts'
import type { ListFilter } from './order-list-query.ts'
import { isPartners, type PartnersPayment } from './payment.ts'
import { PAYMENT, paymentOf, paymentTables } from './payment-store.ts'

/**
 * The partner's payments in the order in which they were made, or changed, `limit` at most. One that changes between two
 * pages of changes comes again at the end: none is passed over.
 */
export async function listPaymentsOf(
  database: Database<unknown>,
  partnerId: string,
  filter: ListFilter,
  limit: number,
): Promise<readonly PartnersPayment[]> {
  return (await listQuery(database, partnerId, filter).limit(limit).execute()).map(paymentOf).filter(isPartners)
}

/** Exported so that a test sees which index it takes. */
export function listQuery(database: Database<unknown>, partnerId: string, filter: ListFilter) {
  const order = orderOf(filter)
  let query = paymentTables(database).selectFrom('payments').select(PAYMENT).where('partner_id', '=', partnerId)
  query = query.where('payroll_id', 'is', null).where(isInList(filter))
  if (filter.endToEndId !== undefined) {
    query = query.where(hasEndToEndId({ partnerId, endToEndId: filter.endToEndId }))
  }
  return query.orderBy(order).orderBy('id')
}

/** The first status that the bank told of each payment. */
export async function listFirstStatuses(
  database: Database<unknown>,
  partnerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PaymentStatusValue>> {
  const rows = await paymentTables(database)
    .selectFrom('payment_history')
    .select(['payment_id as id', 'status'])
    .distinctOn('payment_id')
    .where('partner_id', '=', partnerId)
    .where('payment_id', 'in', [...ids])
    .orderBy('payment_id')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, status }) => [id, status]))
}
