/** Holds the queries on single payments and their status history. */
import { sql } from 'kysely'
import { kindOfCreditorNumber } from '../../banks/connector/bank-order.ts'
import { columnsOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import { isId } from '../../platform/ids.ts'
import type { OrderRequest, Payment } from '../payment.ts'
import type { PayrollKey } from '../payroll-order.ts'

/** A payment as its columns hold it. */
type PaymentRow = Omit<Payment, 'amount' | 'ordered' | 'rail'> & {
  readonly amountMinor: bigint
  readonly currency: string
  /** The order as JSON. */
  readonly ordered: string
}

/** For statements that select whole payments; the others are written in SQL. */
type PaymentTables = { payments: TableOf<PaymentRow> }

/** The primary key of a payment. */
export type PaymentKey = Pick<Payment, 'partnerId' | 'id'>

/** The columns of a payment under the names of `Payment`. */
const PAYMENT = columnsOf(
  'partnerId',
  'id',
  'type',
  'consentId',
  'bic',
  'countryCode',
  'organisationNumber',
  'endToEndId',
  'amountMinor',
  'currency',
  'debtorBban',
  'creditorBban',
  'dueDate',
  'ordered',
  'outcome',
  'bankRequestId',
  'bankPaymentId',
  'status',
  'statusReason',
  'statusReasonText',
  'bankStatus',
  'signed',
  'signedAt',
  'createdAt',
  'statusAt',
  'changedAt',
  'bankNotifiedAt',
  'pollAt',
  'pollStep',
  'unreadSince',
  'finalSince',
  'expiredAt',
  'cancellationAcceptedAt',
  'settledBy',
  'exchange',
  'quoteId',
  'deadlineAt',
  'decideAt',
  'payrollId',
)

/** Whole payments, each for `paymentOf`. */
export function selectPayments({ query }: Queryable) {
  return query.withTables<PaymentTables>().selectFrom('payments').select(PAYMENT)
}

/** Returns one payment of the partner. */
export async function findPayment(database: Database<unknown>, key: PaymentKey): Promise<Payment | undefined> {
  const [row] = (await executePrepared(database, selectPayments(database).where(hasKey(key)))).rows
  return row && paymentOf(row)
}

/** Returns the partner's payments in the order of `ids`, whose case and form do not matter; undefined for an unknown one. */
export async function findPayments(
  database: Database<unknown>,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly (Payment | undefined)[]> {
  const lowerCaseIds = ids.map((id) => id.toLowerCase())
  const isNamed = sql<boolean>`partner_id = ${partnerId} and id = any(${lowerCaseIds.filter(isId)}::uuid[])`
  const { rows } = await executePrepared(database, selectPayments(database).where(isNamed))
  const byId = new Map(rows.map((row) => [row.id, paymentOf(row)]))
  return lowerCaseIds.map((id) => byId.get(id))
}

/** Returns the orders of a payroll, unordered. */
export async function findOrdersOfPayroll(
  database: Database<unknown>,
  { partnerId, payrollId }: PayrollKey,
): Promise<readonly Payment[]> {
  const isOfPayroll = sql<boolean>`partner_id = ${partnerId} and payroll_id = ${payrollId}`
  return (await executePrepared(database, selectPayments(database).where(isOfPayroll))).rows.map(paymentOf)
}

/** Returns the equal order whose outcome at the bank is unknown, if there is one. */
export async function findOpenOutcome(
  { query }: Database<unknown>,
  {
    partnerId,
    endToEndId,
    amount,
    creditorBban,
  }: Pick<Payment, 'partnerId' | 'endToEndId' | 'amount' | 'creditorBban'>,
): Promise<Pick<Payment, 'id' | 'payrollId'> | undefined> {
  const { rows } = await sql<Pick<Payment, 'id' | 'payrollId'>>`
    select id, payroll_id as "payrollId" from payments
    where partner_id = ${partnerId} and end_to_end_id = ${endToEndId} and amount_minor = ${amount.minor}
      and currency = ${amount.currency} and creditor_bban = ${creditorBban} and outcome in ('in-flight', 'unknown')`.execute(
    query,
  )
  return rows[0]
}

/** Returns another payment with this id at the bank: an order at the bank belongs to one payment only. */
export async function findOtherPaymentAtBank(
  { query }: Database<unknown>,
  { partnerId, id, bic, debtorBban }: Pick<Payment, 'partnerId' | 'id' | 'bic' | 'debtorBban'>,
  bankPaymentId: string,
): Promise<Pick<Payment, 'id'> | undefined> {
  const { rows } = await sql<Pick<Payment, 'id'>>`
    select id from payments
    where partner_id = ${partnerId} and bank_payment_id = ${bankPaymentId} and bic = ${bic} and debtor_bban = ${debtorBban}
      and id <> ${id}`.execute(query)
  return rows[0]
}

/** Returns the idempotency key with which a payment was requested, or undefined without one. */
export async function findIdempotencyKey(
  { query }: Database<unknown>,
  payment: PaymentKey,
): Promise<{ operation: string; key: string } | undefined> {
  const { rows } = await sql<{ operation: string; key: string }>`
    select idempotency_operation as operation, idempotency_key as key from payments
    where ${hasKey(payment)} and idempotency_key is not null`.execute(query)
  return rows[0]
}

/** Converts a row into a payment. */
export function paymentOf({ amountMinor: minor, currency, ordered, ...row }: PaymentRow): Payment {
  const request: OrderRequest = { type: row.type, ordered: JSON.parse(ordered) }
  return {
    ...row,
    amount: { minor, currency },
    rail: kindOfCreditorNumber(row.creditorBban, row.countryCode),
    ...request,
  }
}
