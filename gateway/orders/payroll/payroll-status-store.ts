/** The statements that keep the status of a whole payroll true, in the transaction that changes a part of it. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { type PayrollKey, WHOLE_STATUS_ORDER } from './payroll-order.ts'

/**
 * Draws the status of the whole from its parts anew, and notes when one of them changed, if one did. Of two that change at once, the
 * second waits here for the first, and sees what that one wrote.
 */
export async function settleWhole(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
  at: Temporal.Instant | null,
): Promise<void> {
  const key = sql`partner_id = ${partnerId} and id = ${payrollId}`
  await sql`select id from payrolls where ${key} for update`.execute(query)
  await sql`
    update payrolls set changed_at = coalesce(${at?.toString() ?? null}::timestamptz, changed_at),
      -- An order that ended before all of them are there has the payroll looked at: it fails.
      work_at = case when state = 'placing' and exists (
          select from payments o where o.partner_id = payrolls.partner_id and o.payroll_id = payrolls.id
            and (o.outcome = 'void' or o.status in ('Rejected', 'Cancelled')))
        then least(work_at, ${at?.toString() ?? null}::timestamptz) else work_at end, status = coalesce((
      select shown.status from (
        -- A payout without an order waits for it, or will have none; all those of an order without words of their own are as it is.
        select coalesce(t.status, p.status, case when payrolls.state in ('failing', 'failed') then 'Cancelled' else 'Unsigned' end)
          as status
        from payroll_transactions t
        left join payments p on p.partner_id = t.partner_id and p.id = t.payment_id
        where t.partner_id = payrolls.partner_id and t.payroll_id = payrolls.id) shown
      order by array_position(${[...WHOLE_STATUS_ORDER]}::text[], shown.status) limit 1), status)
    where ${key}`.execute(query)
}
