/** Holds the queries on the submission progress of payrolls with one order per transaction. */
import { type Kysely, sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { PayrollKey } from '../payroll-order.ts'

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
}

const raw = (database: Queryable): Kysely<unknown> => database.query

/** Returns the positions of transactions that are not submitted yet, in ascending order. */
export async function listUnsubmittedPositions(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly number[]> {
  const { rows } = await sql<{ position: number }>`
    select position from payroll_transactions
    where partner_id = ${partnerId} and payroll_id = ${payrollId} and payment_id is null and status is null
    order by position`.execute(raw(database))
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
        or o.outcome = 'void' or o.status in ('Rejected', 'Cancelled'))::int as ended
    from payroll_transactions t
    left join payments o on o.partner_id = t.partner_id and o.id = t.payment_id
    where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId}`.execute(raw(database))
  return rows[0] ?? { count: 0, submitted: 0, inFlight: 0, unknown: 0, waiting: 0, ended: 0 }
}

/** Returns the ids of the orders of a payroll, unordered. */
export async function listPayrollOrderIds(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from payments where partner_id = ${partnerId} and payroll_id = ${payrollId}`.execute(raw(database))
  return rows.map(({ id }) => id)
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
      and payment_id = ${paymentId}`.execute(raw(database))
}
