/** Holds the queries on the transactions of payrolls: their orders and their own statuses at the bank. */
import { sql } from 'kysely'
import type { BulkTransactionObservation, KnownBulkTransaction } from '../../banks/connector/bank-order.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Payment } from '../payment.ts'
import type { TransactionState } from '../payroll.ts'
import type { PayrollKey, TransactionRange } from '../payroll-order.ts'
import type { PaymentKey } from './payment-store.ts'

/** Links a range of transactions to an order; returns how many of them had none. */
export async function linkTransactionsToOrder(
  { query }: Queryable,
  { partnerId, payrollId, first, count }: PayrollKey & TransactionRange,
  paymentId: string,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update payroll_transactions set payment_id = ${paymentId}
    where partner_id = ${partnerId} and payroll_id = ${payrollId} and position >= ${first} and position < ${first + count}
      and payment_id is null and status is null`.execute(query)
  return Number(numAffectedRows)
}

/** Returns the known statuses of the transactions of an order, sorted by position. */
export async function listKnownPayrollTransactions(
  { query }: Queryable,
  { partnerId, id }: PaymentKey,
): Promise<readonly KnownBulkTransaction[]> {
  const { rows } = await sql<KnownBulkTransaction>`
    select end_to_end_id as "endToEndId", bank_transaction_id as "elementId", status, status_at as "readAt"
    from payroll_transactions where partner_id = ${partnerId} and payment_id = ${id} order by position`.execute(query)
  return rows
}

/** A transaction with its effective status. */
type PayrollTransactionRow = TransactionState & Pick<Payment, 'endToEndId'>

const READ_AT_ONCE = 500

/** Returns all transactions by position. Reads in pages: a large result would block the event loop. */
export async function listPayrollTransactionRows(
  { query }: Queryable,
  key: PayrollKey,
): Promise<readonly PayrollTransactionRow[]> {
  const found: PayrollTransactionRow[] = []
  for (let first = 0; found.length === first; first += READ_AT_ONCE) {
    const { rows } = await sql<PayrollTransactionRow>`
      select t.end_to_end_id as "endToEndId", ${TRANSACTION_STATUS} as status, ${TRANSACTION_STATUS_REASON} as "statusReason",
        ${TRANSACTION_STATUS_REASON_TEXT} as "statusReasonText", ${TRANSACTION_STATUS_AT} as "statusAt"
      from ${transactionsWithOrders(key)} and t.position >= ${first}::int and t.position < ${first + READ_AT_ONCE}::int
      order by t.position`.execute(query)
    found.push(...rows)
  }
  return found
}

/** Records the bank's ids of the transactions of an order; positions count from the order's first. */
export async function recordBankTransactionIds(
  database: Queryable,
  { partnerId, payrollId, first }: PayrollKey & Pick<TransactionRange, 'first'>,
  elementIds: readonly (string | null)[],
): Promise<void> {
  await sql`
    update payroll_transactions t set bank_transaction_id = reported.id
    from json_array_elements_text(${JSON.stringify(elementIds)}::json) with ordinality as reported(id, position)
    where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId} and t.position = ${first}::int + reported.position - 1
      and reported.id is not null`.execute(database.query)
}

/**
 * Records the bank's statuses of single transactions; positions count from the order's first. Returns whether any
 * changed.
 */
export async function updateTransactionStatuses(
  database: Queryable,
  { partnerId, payrollId, first }: PayrollKey & Pick<TransactionRange, 'first'>,
  { elements, at }: { readonly elements: readonly BulkTransactionObservation[]; readonly at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    with reported as (
      select * from unnest(${elements.map(({ position }) => position + first)}::int[],
        ${elements.map(({ elementId }) => elementId)}::text[], ${elements.map(({ status }) => status)}::text[],
        ${elements.map(({ statusReason }) => statusReason)}::text[],
        ${elements.map(({ statusReasonText }) => statusReasonText)}::text[],
        ${elements.map(({ bankStatus }) => bankStatus)}::text[])
        as e(position, bank_transaction_id, status, status_reason, status_reason_text, bank_status)),
    before as (
      select t.position, t.status, t.status_reason from payroll_transactions t join reported using (position)
      where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId}),
    written as (
      -- An unknown status leaves the status as it was.
      update payroll_transactions t set bank_transaction_id = coalesce(reported.bank_transaction_id, t.bank_transaction_id),
        status = coalesce(reported.status, t.status),
        status_reason = case when reported.status is null then t.status_reason else reported.status_reason end,
        status_reason_text = case when reported.status is null then t.status_reason_text else reported.status_reason_text end,
        bank_status = reported.bank_status, status_at = ${at.toString()}::timestamptz
      from reported where t.partner_id = ${partnerId} and t.payroll_id = ${payrollId} and t.position = reported.position
      returning t.position, t.status, t.status_reason)
    select coalesce(bool_or(w.status is distinct from b.status or w.status_reason is distinct from b.status_reason), false)
      as changed
    from written w join before b using (position)`.execute(database.query)
  return rows[0]?.changed === true
}

/** Clears the statuses of single transactions, so that the order's applies. Returns whether there were any. */
export async function clearTransactionStatuses({ query }: Queryable, { partnerId, id }: PaymentKey): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payroll_transactions set status = null, status_reason = null, status_reason_text = null, bank_status = null,
      status_at = null
    where partner_id = ${partnerId} and payment_id = ${id} and status is not null`.execute(query)
  return Number(numAffectedRows) > 0
}

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

const TRANSACTION_STATUS_AT = sql`coalesce(t.status_at, o.status_at, p.changed_at)`
