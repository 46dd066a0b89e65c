/** Narrows a query over orders to what a list asks for: payments and payrolls have the same columns for it. */
import { type RawBuilder, sql } from 'kysely'
import type { ListFilter, ListPlace } from './order-list-query.ts'

type Listed = { readonly id: string; readonly createdAt: Temporal.Instant; readonly changedAt: Temporal.Instant }

/** By last change when changes are asked for, by creation otherwise: either order has its index. */
export function orderOf({ updatedSince }: ListFilter): 'created_at' | 'changed_at' {
  return updatedSince === undefined ? 'created_at' : 'changed_at'
}

/** Where an order stands in the list that a filter makes. */
export function placeIn(filter: ListFilter, { id, createdAt, changedAt }: Listed): ListPlace {
  return { at: orderOf(filter) === 'created_at' ? createdAt : changedAt, id }
}

/** What every row of the list fulfils, but for its `endToEndId`, which a payroll has many of. */
export function isInList(filter: ListFilter): RawBuilder<boolean> {
  const { status, organisationNumbers, createdFrom, createdBefore, updatedSince, after } = filter
  const conditions = [
    status && sql`status = ${status}`,
    organisationNumbers && sql`organisation_number in (${sql.join(organisationNumbers)})`,
    createdFrom && sql`created_at >= ${createdFrom.toString()}`,
    createdBefore && sql`created_at < ${createdBefore.toString()}`,
    updatedSince && sql`changed_at >= ${updatedSince.toString()}`,
    after && sql`(${sql.ref(orderOf(filter))}, id) > (${after.at.toString()}::timestamptz, ${after.id}::uuid)`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
