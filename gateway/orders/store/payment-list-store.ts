/** Holds the queries over many payments: pages of a list, in the order of an index, and their first statuses. */

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ListFilter } from '../order-list-query.ts'
import { isPartnerPayment, type PartnerPayment, type Payment } from '../payment.ts'
import { paymentOf, selectPayments } from './payment-store.ts'

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
  let query = selectPayments(database).where('partner_id', '=', partnerId)
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
  // The alias of the first column would take precedence over the id of the history.
  const { rows } = await sql<Pick<Payment, 'id' | 'status'>>`
    select distinct on (h.payment_id) h.payment_id as id, h.status from payment_history h
    where h.partner_id = ${partnerId} and h.payment_id = any(${[...ids]}::uuid[])
    order by h.payment_id, h.id`.execute(database.query)
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Returns the sort column; each of the two has its index. */
export function listSortColumn({ updatedSince }: ListFilter): 'created_at' | 'changed_at' {
  return updatedSince === undefined ? 'created_at' : 'changed_at'
}

/** Returns the condition of the filter without its `endToEndId`: a payroll has many of those. */
export function listCondition(filter: ListFilter): RawBuilder<boolean> {
  const { status, organisationNumbers, createdFrom, createdBefore, updatedSince, after } = filter
  const conditions = [
    status && sql`status = ${status}`,
    organisationNumbers && sql`organisation_number in (${sql.join(organisationNumbers)})`,
    createdFrom && sql`created_at >= ${createdFrom.toString()}`,
    createdBefore && sql`created_at < ${createdBefore.toString()}`,
    updatedSince && sql`changed_at >= ${updatedSince.toString()}`,
    after && sql`(${sql.ref(listSortColumn(filter))}, id) > (${after.at.toString()}::timestamptz, ${after.id}::uuid)`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** The index on endToEndIds stores the partner's id as text (decision 0085). */
export function hasEndToEndId({
  partnerId,
  endToEndId,
}: Pick<Payment, 'partnerId' | 'endToEndId'>): Expression<SqlBool> {
  return sql<SqlBool>`end_to_end_id = ${endToEndId} and partner_id::text = ${partnerId}`
}
