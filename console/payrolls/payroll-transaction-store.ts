/** Queries that list the transactions of a payroll. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { PayrollKey } from '../../gateway/orders/payroll/payroll-order.ts'
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
  /** The status of transactions without an order. */
  readonly unsubmitted: PaymentStatusValue
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
  const status = sql`coalesce(t.status, p.status, ${filter.unsubmitted})`
  const ownOr = (own: string, ofOrder: string) =>
    sql`case when t.status is null then ${sql.ref(ofOrder)} else ${sql.ref(own)} end`
  return sql<TransactionRow>`
    select t.position, t.end_to_end_id as "endToEndId", ${status} as status, p.outcome,
      ${ownOr('t.status_reason', 'p.status_reason')} as "statusReason",
      ${ownOr('t.status_reason_text', 'p.status_reason_text')} as "statusReasonText",
      coalesce(t.bank_status, p.bank_status) as "bankStatus", coalesce(t.status_at, p.status_at) as "statusAt"
    from payroll_transactions t left join ${ordersOf(payroll, filter)} p on p.partner_id = t.partner_id and p.id = t.payment_id
    where ${sql.join(conditionsOf(payroll, filter, status), sql` and `)}
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
  shownStatus: RawBuilder<unknown>,
): readonly RawBuilder<SqlBool>[] {
  const conditions = [sql<SqlBool>`t.partner_id = ${partnerId}`, sql<SqlBool>`t.payroll_id = ${payrollId}`]
  if (after !== undefined) {
    conditions.push(sql`t.position > ${after}`)
  }
  if (endToEndId !== undefined) {
    conditions.push(sql`t.end_to_end_id = ${endToEndId}`)
  }
  if (status !== undefined) {
    conditions.push(sql`${shownStatus} = ${status}`)
  }
  return conditions
}
