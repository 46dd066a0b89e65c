/** Holds the queries on single payments and their status history. */
import { type Kysely, sql } from 'kysely'
import { kindOfCreditorNumber } from '../../banks/connector/bank-order.ts'
import { columnsOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared } from '../../platform/database/execute-prepared.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { OrderRequest, Payment } from '../payment.ts'

/** A payment as its columns hold it. */
type PaymentRow = Omit<Payment, 'amount' | 'ordered' | 'rail'> & {
  readonly amountMinor: bigint
  readonly currency: string
  /** The order as JSON. */
  readonly ordered: string
}

/** What is stored with a payment and is no member of it. */
type SubmissionColumns = {
  readonly idempotencyOperation: string | null
  readonly idempotencyKey: string | null
  readonly recoverAt: Temporal.Instant | null
  readonly leaseUntil: Temporal.Instant | null
}

/** The columns that typed statements use; the statements of the hot path are written in SQL. */
type PaymentTables = {
  payments: TableOf<PaymentRow & SubmissionColumns>
  payment_history: TableOf<
    Pick<Payment, 'partnerId' | 'id' | 'status' | 'statusReason' | 'statusReasonText' | 'bankStatus'> & {
      readonly paymentId: string
      readonly at: Temporal.Instant
    }
  >
  expired_orders: TableOf<
    PaymentKey &
      Pick<Payment, 'pollAt'> &
      Pick<SubmissionColumns, 'leaseUntil'> & {
        readonly paymentId: string
        readonly bankPaymentId: string
      }
  >
}

/** The primary key of a payment. */
export type PaymentKey = Pick<Payment, 'partnerId' | 'id'>

export const paymentTables = (database: Queryable): Kysely<PaymentTables> => database.query.withTables<PaymentTables>()

/** The columns of a payment under the names of `Payment`. */
export const PAYMENT_COLUMNS = columnsOf(
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

/** Returns one payment of the partner. */
export async function findPayment(database: Database<unknown>, key: PaymentKey): Promise<Payment | undefined> {
  const statement = paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT_COLUMNS)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
  const [row] = (await executePrepared(database, statement)).rows
  return row && paymentOf(row)
}

/** Returns the partner's payments with these ids, unordered. */
export async function findPayments(
  database: Database<unknown>,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  const statement = paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT_COLUMNS)
    .where('partner_id', '=', partnerId)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
  return (await executePrepared(database, statement)).rows.map(paymentOf)
}

/** Returns the equal order whose outcome at the bank is unknown, if there is one. */
export async function findOpenOutcome(
  database: Database<unknown>,
  order: Pick<Payment, 'partnerId' | 'endToEndId' | 'amount' | 'creditorBban'>,
): Promise<{ id: string; payrollId: string | null } | undefined> {
  return await paymentTables(database)
    .selectFrom('payments')
    .select(['id', 'payroll_id as payrollId'])
    .where('partner_id', '=', order.partnerId)
    .where('end_to_end_id', '=', order.endToEndId)
    .where('amount_minor', '=', order.amount.minor)
    .where('currency', '=', order.amount.currency)
    .where('creditor_bban', '=', order.creditorBban)
    .where('outcome', 'in', ['in-flight', 'unknown'])
    .executeTakeFirst()
}

/** Returns another payment with this id at the bank: an order at the bank belongs to one payment only. */
export async function findOtherPaymentAtBank(
  database: Database<unknown>,
  payment: Pick<Payment, 'partnerId' | 'id' | 'bic' | 'debtorBban'>,
  bankPaymentId: string,
): Promise<{ id: string } | undefined> {
  return await paymentTables(database)
    .selectFrom('payments')
    .select('id')
    .where('partner_id', '=', payment.partnerId)
    .where('bank_payment_id', '=', bankPaymentId)
    .where('bic', '=', payment.bic)
    .where('debtor_bban', '=', payment.debtorBban)
    .where('id', '<>', payment.id)
    .executeTakeFirst()
}

/** Returns the idempotency key with which a payment was requested, or undefined without one. */
export async function findIdempotencyKey(
  database: Database<unknown>,
  { partnerId, id }: PaymentKey,
): Promise<{ operation: string; key: string } | undefined> {
  const row = await paymentTables(database)
    .selectFrom('payments')
    .select(['idempotency_operation as operation', 'idempotency_key as key'])
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.operation == null || row.key === null ? undefined : { operation: row.operation, key: row.key }
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
