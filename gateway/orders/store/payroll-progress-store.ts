/** Holds the statements on the statuses of a payroll and of its transactions, as partners see them, and on the progress of its submission. */
import { sql } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { PAYROLL_STATUS_PRECEDENCE, type PayrollKey } from '../payroll-order.ts'
import { TRANSACTION_STATUS, TRANSACTION_STATUS_REASON, transactionsWithOrders } from './payroll-transaction-store.ts'

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

/** The numbers of transactions of a payroll by submission progress. */
export type SubmissionCounts = {
  readonly count: number
  /** Acknowledged by the bank. */
  readonly submitted: number
  /** Submitted, without an answer yet. */
  readonly inFlight: number
  /** Submitted, with an unknown outcome. */
  readonly unknown: number
  /** Not submitted yet. */
  readonly waiting: number
  /** Not available for the signature any more: rejected, cancelled or voided. */
  readonly ended: number
  /** The payroll that blocks the submission of this one. */
  readonly blockedBy: string | null
}

/** Returns the positions of transactions that are not submitted yet, in ascending order. */
export async function listUnsubmittedPositions(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from payroll_transactions
    where partner_id = ${partnerId} and payroll_id = ${payrollId} and payment_id is null and status is null
    order by position`.execute(database.query)
  return rows.map(({ position }) => position)
}

/** Counts transactions by submission progress. */
export async function countTransactionsBySubmission(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<SubmissionCounts> {
  const { rows } = await sql<SubmissionCounts>`
    select count(*)::int as count,
      count(*) filter (where o.outcome = 'known')::int as submitted,
      count(*) filter (where o.outcome = 'in-flight')::int as "inFlight",
      count(*) filter (where o.outcome = 'unknown')::int as unknown,
      count(*) filter (where t.payment_id is null and t.status is null)::int as waiting,
      count(*) filter (where t.payment_id is null and t.status is not null
        or o.outcome = 'void' or o.status in ('Rejected', 'Cancelled'))::int as ended,
      (select blocked_by_payroll_id from payrolls where partner_id = ${partnerId} and id = ${payrollId}) as "blockedBy"
    from payroll_transactions t
    left join payments o on o.partner_id = t.partner_id and o.id = t.payment_id
    where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId}`.execute(database.query)
  return rows[0] ?? { count: 0, submitted: 0, inFlight: 0, unknown: 0, waiting: 0, ended: 0, blockedBy: null }
}

/** Unlinks the transaction of an order; a rejection becomes the transaction's own status. */
export async function unlinkTransactionFromOrder(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
  paymentId: string,
  rejection: { readonly text: string; readonly at: Temporal.Instant } | null,
): Promise<void> {
  await sql`
    update payroll_transactions set payment_id = null, status = ${rejection === null ? null : 'Rejected'},
      status_reason_text = ${rejection?.text ?? null}, status_at = ${rejection?.at.toString() ?? null}::timestamptz
    where partner_id = ${partnerId} and payroll_id = ${payrollId}
      and payment_id = ${paymentId}`.execute(database.query)
}
