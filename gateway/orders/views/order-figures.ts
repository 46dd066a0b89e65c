/** Counts payments and approvals for the overview and the figures of banks; each query reads a limited number of rows. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { REPORTING_TIME_ZONE, startOfReportingDay } from '../../countries/bank-days.ts'
import {
  COUNTED_ROWS,
  countWaiting,
  newestFirst,
  PARTNERS,
  partnerListFilter,
  readableOfEachPartner,
  type Waiting,
} from '../../partners/partner-rows.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import { APPROVAL_ROWS } from './order-rows.ts'

/** How many payments have a status, at most `max` of each partner. Completed ones are not counted. */
export async function countPaymentsWithStatus(
  database: Queryable,
  partnerId: string | null,
  status: Exclude<PaymentStatusValue, 'Completed'>,
  max: number,
): Promise<number> {
  // The literal shows PostgreSQL that the partial index of statuses applies.
  const found = sql`
    select null::timestamptz as at from payments
    where partner_id = o.id and status = ${sql.lit(status)} and status <> 'Completed' and payroll_id is null limit ${max}`
  return (await countWaiting(database, partnerId, found)).count
}

/**
 * Approvals of payments that their users have not finished, at most `max` of each partner, and since when the oldest
 * of them is. Approvals of salaries are left out, as in the list.
 */
export async function countStartedApprovals(
  database: Queryable,
  partnerId: string | null,
  max: number,
): Promise<Waiting> {
  const started = sql`
    select created_at as at from approvals where partner_id = o.id and status = 'STARTED' and ${APPROVAL_ROWS.where}
    order by created_at, id limit ${max}`
  return await countWaiting(database, partnerId, started)
}

/** The payments of a bank and a day with a status; of rejected ones those with the same reason. */
export type BankCount = {
  /** On which they were initiated. */
  readonly day: string
  readonly bic: string
  readonly status: PaymentStatusValue
  readonly reason: string | null
  readonly count: number
}

/** Of the newest payments since the beginning of a day. */
export async function countByBank(
  database: Queryable,
  partnerId: string | null,
  from: Temporal.PlainDate,
): Promise<readonly BankCount[]> {
  const limit = await readableOfEachPartner(database, partnerId, COUNTED_ROWS)
  const { rows } = await sql<BankCount>`
    select p.day, p.bic, p.status, p.reason, count(*)::int as count
    from ${PARTNERS}, lateral (
      select bic, status, payroll_id, (created_at at time zone ${REPORTING_TIME_ZONE})::date::text as day,
        case when status = 'Rejected' then left(coalesce(status_reason_text, status_reason), 80) end as reason
      from payments where partner_id = o.id and created_at >= ${timestamp(startOfReportingDay(from))}
      ${newestFirst(limit)}) p
    where ${partnerListFilter(partnerId)} and p.payroll_id is null
    group by p.day, p.bic, p.status, p.reason order by count desc, p.bic, p.reason`.execute(database.query)
  return rows
}

/** How far a developer has come with payments, of so many of the newest ones. */
type PaymentUse = { readonly isOrdered: boolean; readonly isSigned: boolean; readonly unsigned: string | null }

export async function findPaymentUse({ query }: Queryable, partnerId: string, among: number): Promise<PaymentUse> {
  const { rows } = await sql<PaymentUse>`
    with recent as materialized (
      select signed, payroll_id from payments where partner_id = ${partnerId}::uuid
      order by created_at desc, id desc limit ${among})
    select exists (select from recent where payroll_id is null) as "isOrdered",
      exists (select from recent where payroll_id is null and signed) as "isSigned",
      (select id from payments where partner_id = ${partnerId}::uuid and status = 'Unsigned' and payroll_id is null
        order by created_at desc, id desc limit 1) as unsigned`.execute(query)
  return rows[0] ?? { isOrdered: false, isSigned: false, unsigned: null }
}
