/** Holds the statements that update the status of a payroll in the transaction that changes one of its parts. */
import { sql } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { PAYROLL_STATUS_PRECEDENCE, type PayrollKey } from '../payroll-order.ts'
import { TRANSACTION_STATUS, TRANSACTION_STATUS_REASON, transactionsWithOrders } from './transaction-status-sql.ts'

type Status = { readonly status: PaymentStatusValue }

/** The status before and after a change of a part; they may be equal. */
export type PayrollStatusChange = Status & { readonly previousStatus: PaymentStatusValue }

/**
 * Derives the status from the parts and sets the time of change, if given. Concurrent changes wait here for each other,
 * so that the second sees what the first wrote. Returns the status before and after.
 */
export async function recomputePayrollStatus(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
  at: Temporal.Instant | null,
): Promise<PayrollStatusChange> {
  const key = sql`partner_id = ${partnerId} and id = ${payrollId}`
  const before = await sql<Status>`select status from payrolls where ${key} for update`.execute(query)
  const after = await sql<Status>`
    update payrolls set changed_at = coalesce(${at?.toString() ?? null}::timestamptz, changed_at),
      -- An order that ended before all of them are there has the payroll looked at: it fails.
      next_run_at = case when state = 'submitting' and exists (
          select from payments o where o.partner_id = payrolls.partner_id and o.payroll_id = payrolls.id
            and (o.outcome = 'void' or o.status in ('Rejected', 'Cancelled')))
        then least(next_run_at, ${at?.toString() ?? null}::timestamptz) else next_run_at end, status = coalesce((
      select shown.status from (
        select ${TRANSACTION_STATUS} as status from ${transactionsWithOrders({ partnerId, payrollId })}) shown
      order by array_position(${[...PAYROLL_STATUS_PRECEDENCE]}::text[], shown.status) limit 1), status)
    where ${key} returning status`.execute(query)
  const status = after.rows[0]?.status ?? 'Unsigned'
  return { previousStatus: before.rows[0]?.status ?? status, status }
}

/** A transaction whose status differs from the one in its last event. */
export type TransactionStatusChange = PayrollStatusChange & {
  readonly position: number
  readonly statusReason: PaymentStatusReason | null
}

/** Records that the present statuses of all transactions are in events; returns those that have changed, by position. */
export async function recordAnnouncedStatuses(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly TransactionStatusChange[]> {
  const { rows } = await sql<TransactionStatusChange>`
    with shown as (
      select t.position, coalesce(t.announced_status, 'Unsigned') as previous, ${TRANSACTION_STATUS} as status,
        ${TRANSACTION_STATUS_REASON} as reason
      from ${transactionsWithOrders({ partnerId, payrollId })}),
    announced as (
      update payroll_transactions t set announced_status = s.status from shown s
      where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId} and t.position = s.position
        and s.status <> s.previous
      returning t.position)
    select s.position, s.previous as "previousStatus", s.status, s.reason as "statusReason"
    from shown s join announced using (position) order by s.position`.execute(query)
  return rows
}
