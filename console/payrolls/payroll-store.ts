/** Queries on one payroll: whose it is, what stops it, and its transactions by status. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { PayrollKey } from '../../gateway/orders/payroll-order.ts'
import { TRANSACTION_STATUS } from '../../gateway/orders/store/transaction-status-sql.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'

/** A payroll that the user may see, and what its submission waits for. */
export type VisiblePayroll = PayrollKey & {
  readonly partnerName: string
  readonly createdAt: Temporal.Instant
  /** Whether its submission has stopped until a user renews a consent, or another user approves. */
  readonly needsUser: boolean
  /** The payroll with an equal transaction whose outcome is unknown. */
  readonly blockedByPayrollId: string | null
}

export async function findVisiblePayroll(
  database: Queryable,
  partnerId: string | null,
  id: string,
): Promise<VisiblePayroll | undefined> {
  const { rows } = await sql<VisiblePayroll>`
    select o.id as "partnerId", o.name as "partnerName", p.id as "payrollId", p.created_at as "createdAt",
      p.submission_needs_user as "needsUser",
      p.blocked_by_payroll_id as "blockedByPayrollId"
    from partners o, lateral (select * from payrolls where partner_id = o.id and id = ${id}::uuid) p
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]
}

/** Transactions with the same status, whose orders have the same outcome. */
export type TransactionGroup = {
  readonly status: PaymentStatusValue
  /** Null without an order. */
  readonly outcome: 'in-flight' | 'known' | 'unknown' | 'void' | null
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
export type FileOfPayroll = {
  readonly messageId: string
  readonly state: 'waiting' | 'prepared' | 'sent' | 'withdrawn'
  /** By the bank's clock. */
  readonly reportedAt: Temporal.Instant | null
}

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
