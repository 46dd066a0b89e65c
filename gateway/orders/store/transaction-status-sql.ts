/** SQL of the effective status of a payroll transaction: its own at the bank, else that of its order. */
import { sql } from 'kysely'
import type { PayrollKey } from '../payroll-order.ts'

/** The transactions `t` of a payroll, each with its order `o` if it has one. */
export function transactionsWithOrders({ partnerId, payrollId }: PayrollKey) {
  return sql`payrolls p
    join payroll_transactions t on t.partner_id = p.partner_id and t.payroll_id = p.id
    left join payments o on o.partner_id = t.partner_id and o.id = t.payment_id
    where p.partner_id = ${partnerId}::uuid and p.id = ${payrollId}::uuid`
}

/** Without an order, a transaction waits for it, or will have none. Needs `payrolls p`, `payroll_transactions t` and `payments o`. */
export const TRANSACTION_STATUS = sql`
  coalesce(t.status, o.status, case when p.state in ('failing', 'failed') then 'Cancelled' else 'Unsigned' end)`

export const TRANSACTION_STATUS_REASON = sql`case when t.status is null then o.status_reason else t.status_reason end`

export const TRANSACTION_STATUS_REASON_TEXT = sql`
  case when t.status is null then o.status_reason_text else t.status_reason_text end`

export const TRANSACTION_STATUS_AT = sql`coalesce(t.status_at, o.status_at, p.changed_at)`
