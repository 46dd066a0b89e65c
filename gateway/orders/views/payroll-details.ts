/** Reads one payroll for operators and partners' users: what stops it, its file and its transactions, without names and amounts. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Payment } from '../payment.ts'
import type { PaymentFile } from '../payment-file.ts'
import type { PayrollKey } from '../payroll-order.ts'
import {
  TRANSACTION_STATUS,
  TRANSACTION_STATUS_REASON,
  TRANSACTION_STATUS_REASON_TEXT,
} from '../store/payroll-transaction-store.ts'

/** What the submission of a payroll waits for. */
export type PayrollObstacle = {
  /** Whether it has stopped until a user renews a consent, or another user approves. */
  readonly needsUser: boolean
  /** The payroll with an equal transaction whose outcome is unknown. */
  readonly blockedByPayrollId: string | null
}

export async function findPayrollObstacle(
  { query }: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<PayrollObstacle> {
  const { rows } = await sql<PayrollObstacle>`
    select submission_needs_user as "needsUser", blocked_by_payroll_id as "blockedByPayrollId"
    from payrolls where partner_id = ${partnerId} and id = ${payrollId}`.execute(query)
  return rows[0] ?? { needsUser: false, blockedByPayrollId: null }
}

/** Transactions with the same status, whose orders have the same outcome. */
export type TransactionGroup = {
  readonly status: PaymentStatusValue
  /** Null without an order. */
  readonly outcome: Payment['outcome'] | null
  readonly count: number
  /** When the first and the last of them got the status; null without an order. */
  readonly since: Temporal.Instant | null
  readonly until: Temporal.Instant | null
}

/** Orders are read at once: a bank may have 10,000. */
export async function groupTransactions(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly TransactionGroup[]> {
  const { rows } = await sql<TransactionGroup>`
    with orders as materialized (
      select id, status, outcome, changed_at from payments
      where partner_id = ${partnerId} and payroll_id = ${payrollId})
    select ${TRANSACTION_STATUS} as status, o.outcome, count(*)::int as count,
      min(coalesce(t.status_at, o.changed_at)) as since, max(coalesce(t.status_at, o.changed_at)) as until
    from payrolls p join payroll_transactions t on t.partner_id = p.partner_id and t.payroll_id = p.id
    left join orders o on o.id = t.payment_id
    where p.partner_id = ${partnerId} and p.id = ${payrollId} and t.partner_id = ${partnerId} and t.payroll_id = ${payrollId}
    group by 1, 2 order by 1, 2`.execute(database.query)
  return rows
}

/** The file in which a payroll is sent to its bank. */
type FileOfPayroll = Pick<PaymentFile, 'messageId' | 'state' | 'reportedAt'>

export async function findFileOfPayroll(
  database: Queryable,
  { partnerId, payrollId }: PayrollKey,
): Promise<FileOfPayroll | undefined> {
  const { rows } = await sql<FileOfPayroll>`
    select f.message_id as "messageId", f.state, f.reported_at as "reportedAt"
    from payments p join payment_files f on f.partner_id = p.partner_id and f.id = p.id
    where p.partner_id = ${partnerId} and p.payroll_id = ${payrollId} limit 1`.execute(database.query)
  return rows[0]
}

/** A transaction with its own status, or that of its order; neither receiver nor amount. Texts of the bank are redacted. */
export type TransactionRow = Pick<
  Payment,
  'endToEndId' | 'status' | 'statusReason' | 'statusReasonText' | 'bankStatus'
> & {
  readonly position: number
  /** Null without an order, as the next. */
  readonly statusAt: Temporal.Instant | null
  readonly outcome: Payment['outcome'] | null
}

export type TransactionFilter = {
  readonly status: PaymentStatusValue | undefined
  readonly endToEndId: string | undefined
  /** The position of the last transaction of the page before. */
  readonly after: number | undefined
}

/** Transactions in the order of the request. */
export async function listTransactions(
  database: Queryable,
  payroll: PayrollKey,
  filter: TransactionFilter,
  limit: number,
): Promise<readonly TransactionRow[]> {
  return (await transactionListQuery(payroll, filter, limit).execute(database.query)).rows
}

/** Exported for the test of its plan. A payroll has at most 10,000 transactions. */
export function transactionListQuery(
  payroll: PayrollKey,
  filter: TransactionFilter,
  limit: number,
): RawBuilder<TransactionRow> {
  return sql<TransactionRow>`
    select t.position, t.end_to_end_id as "endToEndId", ${TRANSACTION_STATUS} as status, o.outcome,
      ${TRANSACTION_STATUS_REASON} as "statusReason", ${TRANSACTION_STATUS_REASON_TEXT} as "statusReasonText",
      coalesce(t.bank_status, o.bank_status) as "bankStatus", coalesce(t.status_at, o.status_at) as "statusAt"
    from payrolls p join payroll_transactions t on t.partner_id = p.partner_id and t.payroll_id = p.id
    left join ${ordersOf(payroll, filter)} o on o.partner_id = t.partner_id and o.id = t.payment_id
    where ${sql.join(conditionsOf(payroll, filter), sql` and `)}
    order by t.position limit ${limit}`
}

/** A status may be that of the last ones only: then the orders of the payroll are read at once. */
function ordersOf({ partnerId, payrollId }: PayrollKey, { status }: TransactionFilter): RawBuilder<unknown> {
  return status === undefined
    ? sql`payments`
    : sql`(select * from payments where partner_id = ${partnerId} and payroll_id = ${payrollId} offset 0)`
}

function conditionsOf(
  { partnerId, payrollId }: PayrollKey,
  { status, endToEndId, after }: TransactionFilter,
): readonly RawBuilder<SqlBool>[] {
  const conditions = [
    sql<SqlBool>`p.partner_id = ${partnerId} and p.id = ${payrollId}`,
    sql<SqlBool>`t.partner_id = ${partnerId} and t.payroll_id = ${payrollId}`,
  ]
  if (after !== undefined) {
    conditions.push(sql`t.position > ${after}`)
  }
  if (endToEndId !== undefined) {
    conditions.push(sql`t.end_to_end_id = ${endToEndId}`)
  }
  if (status !== undefined) {
    conditions.push(sql`${TRANSACTION_STATUS} = ${status}`)
  }
  return conditions
}
