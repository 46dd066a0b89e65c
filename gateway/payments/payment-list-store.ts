/** Queries over many payments: lists, narrowed and page by page in an order that an index serves, and how each began. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { Database } from '../foundation/database/database.ts'
import type { ListFilter, ListPlace } from './list-query.ts'
import { isPartners, type PartnersPayment, type Payment } from './payment.ts'
import { PAYMENT, paymentOf, paymentTables } from './payment-store.ts'

/** By last change when changes are asked for, by creation otherwise: either order has its index. */
const orderOf = ({ updatedSince }: ListFilter) => (updatedSince === undefined ? 'created_at' : 'changed_at')

/** Where a payment stands in the list that a filter makes. */
export function placeIn(filter: ListFilter, payment: Payment): ListPlace {
  return { at: orderOf(filter) === 'created_at' ? payment.createdAt : payment.changedAt, id: payment.id }
}

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
  query = query.where('payroll_id', 'is', null)
  if (filter.endToEndId !== undefined) {
    query = query.where('end_to_end_id', '=', filter.endToEndId)
  }
  if (filter.status !== undefined) {
    query = query.where('status', '=', filter.status)
  }
  if (filter.organisationNumbers !== undefined) {
    query = query.where('organisation_number', 'in', filter.organisationNumbers)
  }
  if (filter.createdFrom !== undefined) {
    query = query.where(sql<boolean>`created_at >= ${filter.createdFrom.toString()}`)
  }
  if (filter.createdBefore !== undefined) {
    query = query.where(sql<boolean>`created_at < ${filter.createdBefore.toString()}`)
  }
  if (filter.updatedSince !== undefined) {
    query = query.where(sql<boolean>`changed_at >= ${filter.updatedSince.toString()}`)
  }
  if (filter.after !== undefined) {
    const { at, id } = filter.after
    query = query.where(sql<boolean>`(${sql.ref(order)}, id) > (${at.toString()}::timestamptz, ${id}::uuid)`)
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
