/** The query over many payrolls: narrowed, and page by page in an order that an index serves. */
import { sql } from 'kysely'
import { isInList, orderOf } from '../orders/order-list-filter.ts'
import type { ListFilter } from '../orders/order-list-query.ts'
import type { Database } from '../platform/database/database.ts'
import type { Payroll } from './payroll.ts'
import { PAYROLL, payrollTables } from './payroll-store.ts'

/** A payroll with what else a list shows of it. */
export type PayrollInList = Payroll & { readonly termsSealed: Buffer; readonly outcomeUnknown: boolean }

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
    .where(isInList(filter))
  if (filter.endToEndId !== undefined) {
    query = query.where(sql<boolean>`id in (select payroll_id from payroll_transactions
      where partner_id = ${partnerId} and end_to_end_id = ${filter.endToEndId})`)
  }
  return await query.orderBy(order).orderBy('id').limit(limit).execute()
}
