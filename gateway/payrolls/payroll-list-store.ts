/** The query over many payrolls: narrowed, and page by page in an order that an index serves. */
import { sql } from 'kysely'
import type { Database } from '../foundation/database/database.ts'
import type { ListFilter, ListPlace } from '../payments/list-query.ts'
import type { Payroll } from './payroll.ts'
import { PAYROLL, payrollTables } from './payroll-store.ts'

/** A payroll with what else a list shows of it. */
export type PayrollInList = Payroll & { readonly termsSealed: Buffer; readonly outcomeUnknown: boolean }

/** By last change when changes are asked for, by creation otherwise: either order has its index. */
const orderOf = ({ updatedSince }: ListFilter) => (updatedSince === undefined ? 'created_at' : 'changed_at')

/** Where a payroll stands in the list that a filter makes. */
export function placeIn(filter: ListFilter, payroll: Payroll): ListPlace {
  return { at: orderOf(filter) === 'created_at' ? payroll.createdAt : payroll.changedAt, id: payroll.id }
}

/** The partner's payrolls in the order in which they were made, or changed, `limit` at most. */
export async function listPayrollsOf(
  database: Database<unknown>,
  partnerId: string,
  filter: ListFilter,
  limit: number,
): Promise<readonly PayrollInList[]> {
  const order = orderOf(filter)
  let query = payrollTables(database)
    .selectFrom('payrolls')
    .select(PAYROLL)
    .select('terms_sealed as termsSealed')
    .select(
      sql<boolean>`exists (select from payments p where p.partner_id = payrolls.partner_id
        and p.payroll_id = payrolls.id and p.outcome in ('asked', 'unknown'))`.as('outcomeUnknown'),
    )
    .where('partner_id', '=', partnerId)
  if (filter.endToEndId !== undefined) {
    query = query.where(sql<boolean>`id in (select payroll_id from payroll_transactions
      where partner_id = ${partnerId} and end_to_end_id = ${filter.endToEndId})`)
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
  return await query.orderBy(order).orderBy('id').limit(limit).execute()
}
