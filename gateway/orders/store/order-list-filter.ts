/** Builds the SQL conditions of a list of payments or payrolls, whose tables share these columns. */
import { type RawBuilder, sql } from 'kysely'
import type { ListFilter, ListPosition } from '../order-list-query.ts'

type ListedOrder = { readonly id: string; readonly createdAt: Temporal.Instant; readonly changedAt: Temporal.Instant }

/** Returns the sort column; each of the two has its index. */
export function listSortColumn({ updatedSince }: ListFilter): 'created_at' | 'changed_at' {
  return updatedSince === undefined ? 'created_at' : 'changed_at'
}

/** Returns the cursor position of an order in the filtered list. */
export function listPositionOf(filter: ListFilter, { id, createdAt, changedAt }: ListedOrder): ListPosition {
  return { at: listSortColumn(filter) === 'created_at' ? createdAt : changedAt, id }
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
