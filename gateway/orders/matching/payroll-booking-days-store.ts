/** The query that tells on which days entries on an account may be salaries. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { paymentTables } from '../payment-store.ts'
import type { Account } from './match-candidate-store.ts'

/** From the first to the last, both included. */
export type Days = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** What a payroll pays is booked on its day or, after closing days and late signatures, within so many days. */
const BOOKED_WITHIN_DAYS = 5

/** A payroll that is signed longer after its day than this is not carried out. */
const SIGNED_WITHIN = { days: 45 }

/** The runs of days on which what payrolls pay from an account may be booked, of those that touch the days asked about. */
export async function listSalaryDays(
  database: Database<unknown>,
  { partnerId, bic, numbers }: Account,
  { from, to }: Days,
): Promise<readonly Days[]> {
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
