/** Queries that list the transactions of a payroll. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { PayrollKey } from '../../gateway/orders/payroll-order.ts'
import {
  TRANSACTION_STATUS,
  TRANSACTION_STATUS_REASON,
  TRANSACTION_STATUS_REASON_TEXT,
} from '../../gateway/orders/store/transaction-status-sql.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'

/** A transaction with its own status, or that of its order; neither receiver nor amount. */
export type TransactionRow = {
  readonly position: number
  readonly endToEndId: string
  readonly status: PaymentStatusValue
  readonly statusReason: PaymentStatusReason | null
  /** The text of the bank, redacted. */
  readonly statusReasonText: string | null
  /** The bank's code. */
  readonly bankStatus: string | null
  /** Null without an order. */
  readonly statusAt: Temporal.Instant | null
  readonly outcome: 'in-flight' | 'known' | 'unknown' | 'void' | null
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
