/** Holds the query for the days on which entries on an account may belong to payrolls. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { DebtorAccountNumbers } from './match-candidate-store.ts'
import { paymentTables } from './payment-store.ts'

/** Both days are inclusive. */
export type DateRange = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** Payrolls are booked on their due date or, after closed days and late signatures, within this number of days. */
const BOOKED_WITHIN_DAYS = 5

/** Payrolls signed later than this after their due date are not executed. */
const SIGNED_WITHIN = { days: 45 }

/** Returns the date ranges in which payrolls from an account may be booked, as far as they overlap the given days. */
export async function listPayrollBookingDays(
  database: Database<unknown>,
  { partnerId, bic, numbers }: DebtorAccountNumbers,
  { from, to }: DateRange,
): Promise<readonly DateRange[]> {
  const { rows } = await sql<Record<'from' | 'to', string>>`
    with days as (
      select due_date, (greatest(due_date::timestamptz, signed_at) at time zone 'UTC')::date + ${BOOKED_WITHIN_DAYS}::int as last
      from payments
      where partner_id = ${partnerId} and bic = ${bic} and debtor_bban = any(${[...numbers]}::text[])
        and payroll_id is not null
        and due_date between ${from.subtract(SIGNED_WITHIN).toString()}::date and ${to.toString()}::date
        and status not in ('Rejected', 'Cancelled') and outcome <> 'void')
    select distinct due_date::text as from, last::text as to from days where last >= ${from.toString()}::date`.execute(
    paymentTables(database),
  )
  return rows.map((days) => ({ from: Temporal.PlainDate.from(days.from), to: Temporal.PlainDate.from(days.to) }))
}
