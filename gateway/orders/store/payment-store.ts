/** Holds the queries on single payments and their status history. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { kindOfCreditorNumber } from '../../banks/connector/bank-order.ts'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared } from '../../platform/database/execute-prepared.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { ExchangeState } from '../exchange-state.ts'
import type { OrderRequest, Payment, SubmissionOutcome } from '../payment.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type Maybe<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

/** The columns that typed statements use; the statements of the hot path are written in SQL. */
export type PaymentTables = {
  payments: {
    partner_id: string
    id: string
    type: Payment['type']
    consent_id: string
    bic: string
    country_code: string
    organisation_number: string
    end_to_end_id: string
    amount_minor: bigint
    currency: string
    debtor_bban: string
    creditor_bban: string
    due_date: ColumnType<Temporal.PlainDate, string>
    ordered: string
    outcome: SubmissionOutcome
    bank_request_id: string
    idempotency_operation: string | null
    idempotency_key: string | null
    bank_payment_id: Maybe<string>
    status: PaymentStatusValue
    status_reason: Maybe<PaymentStatusReason>
    status_reason_text: Maybe<string>
    bank_status: Maybe<string>
    signed: boolean
    signed_at: MaybeInstant
    bank_notified_at: MaybeInstant
    created_at: Instant
    status_at: Instant
    changed_at: Instant
    poll_at: MaybeInstant
    poll_step: number
    unread_since: MaybeInstant
    final_since: MaybeInstant
    expired_at: MaybeInstant
    cancellation_accepted_at: MaybeInstant
    settled_by: Maybe<string>
    exchange: Maybe<ExchangeState>
    quote_id: Maybe<string>
    deadline_at: MaybeInstant
    decide_at: MaybeInstant
    payroll_id: Maybe<string>
    recover_at: MaybeInstant
    lease_until: MaybeInstant
  }
  payment_history: {
    partner_id: string
    payment_id: string
    id: string
    at: Instant
    status: PaymentStatusValue
    status_reason: Maybe<PaymentStatusReason>
    status_reason_text: Maybe<string>
    bank_status: Maybe<string>
  }
  expired_orders: {
    partner_id: string
    payment_id: string
    bank_payment_id: string
    id: string
    poll_at: MaybeInstant
    lease_until: MaybeInstant
  }
}

/** The primary key of a payment. */
export type PaymentKey = Pick<Payment, 'partnerId' | 'id'>

export const paymentTables = (database: Queryable): Kysely<PaymentTables> => database.query.withTables<PaymentTables>()

/** The columns of a payment under the names of `Payment`. */
export const PAYMENT_COLUMNS = [
  'partner_id as partnerId',
  'id',
  'type',
  'consent_id as consentId',
  'bic',
  'country_code as countryCode',
  'organisation_number as organisationNumber',
  'end_to_end_id as endToEndId',
  'amount_minor as amountMinor',
  'currency',
  'debtor_bban as debtorBban',
  'creditor_bban as creditorBban',
  'due_date as dueDate',
  'ordered as orderedText',
  'outcome',
  'bank_request_id as bankRequestId',
  'bank_payment_id as bankPaymentId',
  'status',
  'status_reason as statusReason',
  'status_reason_text as statusReasonText',
  'bank_status as bankStatus',
  'signed',
  'signed_at as signedAt',
  'created_at as createdAt',
  'status_at as statusAt',
  'changed_at as changedAt',
  'bank_notified_at as bankNotifiedAt',
  'poll_at as pollAt',
  'poll_step as pollStep',
  'unread_since as unreadSince',
  'final_since as finalSince',
  'expired_at as expiredAt',
  'cancellation_accepted_at as cancellationAcceptedAt',
  'settled_by as settledBy',
  'exchange',
  'quote_id as quoteId',
  'deadline_at as deadlineAt',
  'decide_at as decideAt',
  'payroll_id as payrollId',
] as const

type PaymentRow = Omit<Payment, 'amount' | 'ordered' | 'rail'> & {
  readonly amountMinor: bigint
  readonly currency: string
  readonly orderedText: string
}

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
export function paymentOf({ amountMinor: minor, currency, orderedText, ...row }: PaymentRow): Payment {
  const request: OrderRequest = { type: row.type, ordered: JSON.parse(orderedText) }
  return {
    ...row,
    amount: { minor, currency },
    rail: kindOfCreditorNumber(row.creditorBban, row.countryCode),
    ...request,
  }
}
