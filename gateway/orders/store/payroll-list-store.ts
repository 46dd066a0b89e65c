/** Queries a page of a partner's payrolls in an order that an index serves. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { ListFilter } from '../order-list-query.ts'
import type { Payroll } from '../payroll.ts'
import { listCondition, listSortColumn } from './order-list-filter.ts'
import { PAYROLL, payrollTables } from './payroll-store.ts'

/** A payroll as the list needs it. */
export type ListedPayroll = Payroll & { readonly termsSealed: Buffer; readonly outcomeUnknown: boolean }

/** The partner's payrolls in order of creation or of last change, at most `limit`. */
export async function listPayrollsOfPartner(
  database: Database<unknown>,
  partnerId: string,
  filter: ListFilter,
  limit: number,
): Promise<readonly ListedPayroll[]> {
  const order = listSortColumn(filter)
  let query = payrollTables(database)
    .selectFrom('payrolls')
    .select(PAYROLL)
    .select('terms_sealed as termsSealed')
    .select(
      sql<boolean>`exists (select from payments p where p.partner_id = payrolls.partner_id
        and p.payroll_id = payrolls.id and p.outcome in ('in-flight', 'unknown'))`.as('outcomeUnknown'),
    )
    .where('partner_id', '=', partnerId)
    .where(listCondition(filter))
  if (filter.endToEndId !== undefined) {
    query = query.where(sql<boolean>`id in (select payroll_id from payroll_transactions
      where partner_id = ${partnerId} and end_to_end_id = ${filter.endToEndId})`)
  }
  return await query.orderBy(order).orderBy('id').limit(limit).execute()
}
