/** Holds the statement that updates the status of a payroll in the transaction that changes one of its parts. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { PAYROLL_STATUS_PRECEDENCE, type PayrollKey } from './payroll-order.ts'

/**
 * Derives the status from the parts and sets the time of change, if given. Concurrent changes wait here for each other,
 * so that the second sees what the first wrote.
 */
export async function recomputePayrollStatus(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
  at: Temporal.Instant | null,
): Promise<void> {
  const key = sql`partner_id = ${partnerId} and id = ${payrollId}`
  await sql`select id from payrolls where ${key} for update`.execute(query)
  await sql`
    update payrolls set changed_at = coalesce(${at?.toString() ?? null}::timestamptz, changed_at),
      -- An order that ended before all of them are there has the payroll looked at: it fails.
      next_run_at = case when state = 'submitting' and exists (
          select from payments o where o.partner_id = payrolls.partner_id and o.payroll_id = payrolls.id
            and (o.outcome = 'void' or o.status in ('Rejected', 'Cancelled')))
        then least(next_run_at, ${at?.toString() ?? null}::timestamptz) else next_run_at end, status = coalesce((
      select shown.status from (
        -- A transaction without an order waits for it, or will have none; all those of an order without words of their own are as it is.
        select coalesce(t.status, p.status, case when payrolls.state in ('failing', 'failed') then 'Cancelled' else 'Unsigned' end)
          as status
        from payroll_transactions t
        left join payments p on p.partner_id = t.partner_id and p.id = t.payment_id
        where t.partner_id = payrolls.partner_id and t.payroll_id = payrolls.id) shown
      order by array_position(${[...PAYROLL_STATUS_PRECEDENCE]}::text[], shown.status) limit 1), status)
    where ${key}`.execute(query)
}
