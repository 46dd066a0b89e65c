/** Holds the queries on orders that expired at their banks: recording, resubmission, rollback and polling. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Database } from '../../platform/database/database.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import type { AcknowledgedPayment, Payment } from '../payment.ts'
import type { PaymentKey } from './payment-store.ts'

/** Payments ordered longer before a due date have been booked before it. */
const SIMILAR_SINCE = { days: 365 }
/** Orders are booked within this time of their due date or their signature, whatever closed days are in between. */
const BOOKED_WITHIN = { days: 14 }

/** Records when the bank first reported that an order is gone; of signed orders only after it has accepted their cancellation. */
export async function writeExpiry(
  database: Database<unknown>,
  payment: AcknowledgedPayment,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update payments set expired_at = least(expired_at, ${at.toString()}::timestamptz)
    where partner_id = ${payment.partnerId} and id = ${payment.id} and outcome = 'known'
      and bank_payment_id = ${payment.bankPaymentId}
      and (status = 'Unsigned' and not signed or cancellation_accepted_at is not null)`.execute(database.query)
}

/** Records that the bank accepted the cancellation of an order, which is never resubmitted after that. */
export async function recordBankCancellation(
  { database, clock }: Context,
  payment: AcknowledgedPayment,
): Promise<void> {
  await sql`
    update payments set cancellation_accepted_at = coalesce(cancellation_accepted_at, ${timestamp(clock.now())})
    where ${hasKey(payment)} and bank_payment_id = ${payment.bankPaymentId}`.execute(database.query)
}

/** An order that is about to be resubmitted. */
export type ResubmissionRecord = PaymentKey & {
  readonly formerBankPaymentId: string
  /** The id of the row by which the expired order is polled from now on, and the time of the first poll. */
  readonly expiredOrderId: string
  readonly expiredOrderPollAt: Temporal.Instant
  readonly bankRequestId: string
  readonly notificationTokenHash: string
  /** Wall time after which recovery takes over the submission. */
  readonly recoverAt: Temporal.Instant
}

/** Stores the expired order and the new submission in one statement. Returns false when the payment has changed. */
export async function createResubmission(
  database: Database<unknown>,
  submission: ResubmissionRecord,
): Promise<boolean> {
  const { rows } = await sql`
    with requested as (
      update payments set outcome = 'in-flight', bank_payment_id = null, bank_request_id = ${submission.bankRequestId},
        notification_token_hash = ${submission.notificationTokenHash}, bank_notified_at = null, expired_at = null, poll_at = null, poll_step = 0,
        unread_since = null, recover_at = ${submission.recoverAt.toString()}::timestamptz
      where partner_id = ${submission.partnerId} and id = ${submission.id} and outcome = 'known' and status = 'Unsigned'
        and not signed and bank_payment_id = ${submission.formerBankPaymentId} and expired_at is not null
        and cancellation_accepted_at is null
      returning partner_id, id),
    deleted as (
      -- What the bank knew the payouts of the former order by is nothing of the one that takes its place. Where the
      -- bank does not take it, the ids are looked up again.
      update payroll_transactions t set bank_transaction_id = null from requested a
      where t.partner_id = a.partner_id and t.payment_id = a.id and t.bank_transaction_id is not null),
    aside as (
      -- The snapshot still holds what the order was.
      insert into expired_orders (partner_id, payment_id, bank_payment_id, bank_request_id, notification_token_hash, expired_at,
        id, bic, poll_at, previous_bank_notified_at, previous_poll_at, previous_poll_step, previous_unread_since)
      select p.partner_id, p.id, p.bank_payment_id, p.bank_request_id, p.notification_token_hash, p.expired_at,
        ${submission.expiredOrderId}, p.bic, ${submission.expiredOrderPollAt.toString()}::timestamptz, p.bank_notified_at, p.poll_at, p.poll_step,
        p.unread_since
      from payments p join requested a on a.partner_id = p.partner_id and a.id = p.id)
    select id from requested`.execute(database.query)
  return rows.length === 1
}

/**
 * Restores the expired order after the bank rejected the resubmission, also when it is executed again because its answer
 * was lost. Returns false when the outcome was settled.
 */
export async function rollBackResubmission(
  database: Database<unknown>,
  submission: ResubmissionRecord,
): Promise<boolean> {
  const { rows } = await sql`
    with former as (
      delete from expired_orders where partner_id = ${submission.partnerId} and payment_id = ${submission.id}
        and bank_payment_id = ${submission.formerBankPaymentId}
        and exists (select from payments where partner_id = ${submission.partnerId} and id = ${submission.id}
          and bank_request_id = ${submission.bankRequestId} and outcome in ('in-flight', 'unknown'))
      returning *),
    restored as (
      update payments p set outcome = 'known', bank_payment_id = f.bank_payment_id, bank_request_id = f.bank_request_id,
        notification_token_hash = f.notification_token_hash, bank_notified_at = f.previous_bank_notified_at,
        expired_at = f.expired_at, poll_at = f.previous_poll_at, poll_step = f.previous_poll_step,
        unread_since = f.previous_unread_since, recover_at = null, lease_until = null
      from former f where p.partner_id = f.partner_id and p.id = f.payment_id
      returning p.id)
    select id from restored union
    select id from payments where partner_id = ${submission.partnerId} and id = ${submission.id}
      and bank_payment_id = ${submission.formerBankPaymentId} and outcome = 'known'`.execute(database.query)
  return rows.length === 1
}

/** An expired order whose payment was resubmitted under another id. */
export type ExpiredOrder = RowKey & { readonly paymentId: string; readonly bankPaymentId: string }

/** Returns the expired order of a row, or undefined when the payment has returned to it. */
export async function findExpiredOrder({ query }: Database<unknown>, key: RowKey): Promise<ExpiredOrder | undefined> {
  const { rows } = await sql<ExpiredOrder>`
    select partner_id as "partnerId", id, payment_id as "paymentId", bank_payment_id as "bankPaymentId"
    from expired_orders where ${hasKey(key)}`.execute(query)
  return rows[0]
}

/** Whether the bank held an order of this payment under this id before the payment was resubmitted. */
export async function isExpiredOrderOf(
  { query }: Database<unknown>,
  { partnerId, id }: PaymentKey,
  bankPaymentId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select id from expired_orders
    where partner_id = ${partnerId} and payment_id = ${id} and bank_payment_id = ${bankPaymentId}`.execute(query)
  return rows.length > 0
}

/** Sets the next poll of an expired order, null for none, and releases its lease. */
export async function scheduleExpiredOrderPoll(
  { query }: Database<unknown>,
  key: RowKey,
  pollAt: Temporal.Instant | null,
): Promise<void> {
  await sql`
    update expired_orders set poll_at = ${pollAt?.toString() ?? null}, lease_until = null where ${hasKey(key)}`.execute(
    query,
  )
}

/**
 * Returns the endToEndIds of the other payments from the account with this amount and creditor that may be booked since the
 * start of the due date and have no matched entry.
 */
export async function listSimilarEndToEndIds(
  database: Database<unknown>,
  payment: Payment,
  dueDateStart: Temporal.Instant,
): Promise<readonly string[]> {
  const { dueDate, ordered } = payment
  const { rows } = await sql<Pick<Payment, 'endToEndId'>>`
    select end_to_end_id as "endToEndId" from payments
    where partner_id = ${payment.partnerId} and bic = ${payment.bic} and debtor_bban = ${payment.debtorBban}
      and amount_minor = ${String(payment.amount.minor)}::bigint and currency = ${payment.amount.currency}
      and creditor_bban = ${payment.creditorBban} and id <> ${payment.id} and settled_by is null
      -- Several accounts may share a number.
      and ordered::jsonb #>> '{from,currency}' = ${ordered.from.currency}
      and status in ('InProgress', 'Completed') and created_at >= ${dueDate.subtract(SIMILAR_SINCE).toString()}::date
      and (final_since is null or final_since >= ${timestamp(dueDateStart)})
      and greatest(due_date, (coalesce(signed_at, created_at) at time zone 'UTC')::date)
        >= ${dueDate.subtract(BOOKED_WITHIN).toString()}::date`.execute(database.query)
  return rows.map(({ endToEndId }) => endToEndId)
}
