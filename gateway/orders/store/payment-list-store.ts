/** Holds the queries over many payments: pages of a list, in the order of an index, and their first statuses. */
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ListFilter } from '../order-list-query.ts'
import { isPartnerPayment, type PartnerPayment } from '../payment.ts'
import { hasEndToEndId } from './end-to-end-id-condition.ts'
import { listCondition, listSortColumn } from './order-list-filter.ts'
import { PAYMENT_COLUMNS, paymentOf, paymentTables } from './payment-store.ts'

/**
 * Returns at most `limit` payments of the partner, by creation or by last change. A payment that changes between two
 * pages of changes appears again at the end, so that no change is missed.
 */
export async function listPaymentsOf(
  database: Database<unknown>,
  partnerId: string,
  filter: ListFilter,
  limit: number,
): Promise<readonly PartnerPayment[]> {
  return (await paymentListQuery(database, partnerId, filter).limit(limit).execute())
    .map(paymentOf)
    .filter(isPartnerPayment)
}

/** Exported for the test of its query plan. */
export function paymentListQuery(database: Database<unknown>, partnerId: string, filter: ListFilter) {
  const order = listSortColumn(filter)
  let query = paymentTables(database).selectFrom('payments').select(PAYMENT_COLUMNS).where('partner_id', '=', partnerId)
  query = query.where('payroll_id', 'is', null).where(listCondition(filter))
  if (filter.endToEndId !== undefined) {
    query = query.where(hasEndToEndId({ partnerId, endToEndId: filter.endToEndId }))
  }
  return query.orderBy(order).orderBy('id')
}

/** Returns the first status that the bank reported of each payment. */
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
