/** The queries on payments and their history: one row at a time. */
import type { ColumnType, Kysely } from 'kysely'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/shapes.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { ExchangeState } from './exchange/exchange.ts'
import type { OrderAsked, Outcome, Payment } from './payment.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
type Maybe<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>

/** The row type of payments; the statements of the hot path write it by hand. */
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
    outcome: Outcome
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
    hint_hash: string
    hinted_at: MaybeInstant
    created_at: Instant
    status_at: Instant
    changed_at: Instant
    poll_at: MaybeInstant
    poll_step: number
    unread_since: MaybeInstant
    final_since: MaybeInstant
    announced_at: MaybeInstant
    lapsed_at: MaybeInstant
    withdrawn_at: MaybeInstant
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
  lapsed_orders: {
    partner_id: string
    payment_id: string
    bank_payment_id: string
    bank_request_id: string
    hint_hash: string
    lapsed_at: Instant
    id: string
    bic: string
    poll_at: MaybeInstant
    lease_until: MaybeInstant
    was_hinted_at: MaybeInstant
    was_poll_at: MaybeInstant
    was_poll_step: number
    was_unread_since: MaybeInstant
  }
  entry_reads: {
    partner_id: string
    bic: string
    bban: string
    read_at: Instant
  }
}

/** What identifies a payment. */
export type PaymentKey = Pick<Payment, 'partnerId' | 'id'>

export const paymentTables = (database: Queryable): Kysely<PaymentTables> => database.query.withTables<PaymentTables>()

/** The columns of a payment, named as in `Payment`. */
export const PAYMENT = [
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
  'hinted_at as hintedAt',
  'poll_at as pollAt',
  'poll_step as pollStep',
  'unread_since as unreadSince',
  'final_since as finalSince',
  'lapsed_at as lapsedAt',
  'withdrawn_at as withdrawnAt',
  'settled_by as settledBy',
  'exchange',
  'quote_id as quoteId',
  'deadline_at as deadlineAt',
  'decide_at as decideAt',
  'payroll_id as payrollId',
] as const

type PaymentRow = Omit<Payment, 'amount' | 'ordered'> & {
  readonly amountMinor: bigint
  readonly currency: string
  readonly orderedText: string
}

/** One payment of the partner. */
export async function findPayment(database: Database<unknown>, key: PaymentKey): Promise<Payment | undefined> {
  const row = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return row && paymentOf(row)
}

/** The partner's payments with these ids, in no order. */
export async function findPayments(
  database: Database<unknown>,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  const rows = await paymentTables(database)
    .selectFrom('payments')
    .select(PAYMENT)
    .where('partner_id', '=', partnerId)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(paymentOf)
}

/** The payment whose outcome at the bank is open and that orders the same. */
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
    .where('outcome', 'in', ['asked', 'unknown'])
    .executeTakeFirst()
}

/** Another payment that the bank holds under this id: an order at the bank stands for one payment only. */
export async function findOtherHolder(
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

/** One status that a bank told. */
export type HistoryEntry = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText'> & {
  readonly statusAt: Temporal.Instant
}

/** Banks that go to and fro for months are told of by their latest words. */
const HISTORY_SHOWN_MAX = 100

/** The latest statuses that the bank told of a payment, oldest first. */
export async function listHistory(database: Database<unknown>, key: PaymentKey): Promise<readonly HistoryEntry[]> {
  const latest = await paymentTables(database)
    .selectFrom('payment_history')
    .select(['status', 'status_reason as statusReason', 'status_reason_text as statusReasonText', 'at as statusAt'])
    .where('partner_id', '=', key.partnerId)
    .where('payment_id', '=', key.id)
    .orderBy('id', 'desc')
    .limit(HISTORY_SHOWN_MAX)
    .execute()
  return latest.toReversed()
}

/** Under which key a payment was asked for, or undefined when it came without one. */
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

/** Turns a row into a payment. */
export function paymentOf({ amountMinor, currency, orderedText, ...row }: PaymentRow): Payment {
  const asked: OrderAsked = { type: row.type, ordered: JSON.parse(orderedText) }
  return { ...row, amount: { minor: amountMinor, currency }, ...asked }
}
