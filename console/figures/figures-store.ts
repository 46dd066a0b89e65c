/** Queries for the figures by day and by bank; each reads a limited number of rows, however much is stored. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { REPORTING_TIME_ZONE } from '../../gateway/countries/bank-days.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'
import { lowestIdAt } from '../../gateway/platform/ids.ts'
import type { RequestScope } from '../../gateway/request-log/find-requests.ts'
import { startOfDayForReaders } from '../markup/format-time.ts'

/** Of all days or banks and of all partners together. */
export const READ_MAX = 10_000
/** Of each of many partners and days. */
const READ_MIN = 20

/** How many requests were rejected with a code on a day. */
export type ErrorCount = { readonly day: string; readonly code: string; readonly count: number }

/** Of each day the newest requests; those without a code count by their HTTP status. */
export async function countErrors(
  database: Queryable,
  { partnerId, payrolls }: RequestScope,
  days: readonly Temporal.PlainDate[],
): Promise<readonly ErrorCount[]> {
  const each = await readableOfEach(database, partnerId, days.length)
  const startOf = (day: Temporal.PlainDate) => lowestIdAt(startOfDayForReaders(day))
  const { rows } = await sql<ErrorCount>`
    select d.day, c.code, count(*)::int as count
    from unnest(${days.map(String)}::text[], ${days.map(startOf)}::uuid[],
        ${days.map((day) => startOf(day.add({ days: 1 })))}::uuid[]) as d(day, from_id, before_id),
      partners o, lateral (
        select * from request_log
        where partner_id = o.id and status >= 400 and id >= d.from_id and id < d.before_id
        order by id desc limit ${each}) r, lateral (
        select distinct code from unnest(coalesce(r.error_codes, array['HTTP ' || r.status])) as code) c
    where ${partnerListFilter(partnerId)} and (${payrolls} or not r.is_payroll)
    group by d.day, c.code order by d.day desc, count desc, c.code`.execute(database.query)
  return rows
}

/** The payments of a bank and a day with a status; of rejected ones those with the same reason. */
export type BankCount = {
  /** On which they were initiated, as the console counts days. */
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
  const each = await readableOfEach(database, partnerId, 1)
  const { rows } = await sql<BankCount>`
    select p.day, p.bic, p.status, p.reason, count(*)::int as count
    from partners o, lateral (
      select bic, status, payroll_id, (created_at at time zone ${REPORTING_TIME_ZONE})::date::text as day,
        case when status = 'Rejected' then left(coalesce(status_reason_text, status_reason), 80) end as reason
      from payments
      where partner_id = o.id and created_at >= ${startOfDayForReaders(from).toString()}::timestamptz
      order by created_at desc, id desc limit ${each}) p
    where ${partnerListFilter(partnerId)} and p.payroll_id is null
    group by p.day, p.bic, p.status, p.reason order by count desc, p.bic, p.reason`.execute(database.query)
  return rows
}

async function readableOfEach(database: Queryable, partnerId: string | null, parts: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from partners o where ${partnerListFilter(partnerId)}`.execute(database.query)
  return Math.max(READ_MIN, Math.floor(READ_MAX / parts / Math.max(1, rows[0]?.count ?? 1)))
}
