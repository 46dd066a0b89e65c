/** Holds the statements on payment statuses and their history, polling times and inbound notifications. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Database } from '../../platform/database/database.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import { newId } from '../../platform/ids.ts'
import { type Lease, takeLease } from '../../platform/jobs/lease.ts'
import type { Payment } from '../payment.ts'
import type { PaymentKey } from './payment-store.ts'

/** A status to record and the time of the next poll. */
export type StatusToRecord = Pick<
  Payment,
  | 'status'
  | 'statusReason'
  | 'statusReasonText'
  | 'bankStatus'
  | 'signed'
  | 'pollStep'
  | 'pollAt'
  | 'finalSince'
  | 'settledBy'
  | 'exchange'
  | 'decideAt'
> & {
  readonly at: Temporal.Instant
  /** Wall time. */
  readonly real: Temporal.Instant
  /** Set when the outcome is settled together with the status, or the bank holds what had been settled as `void`. */
  readonly outcome?: 'void' | 'known'
  /** Of an outcome that becomes known. */
  readonly bankPaymentId?: string
}

/** When the payment's event occurred, later than its last one, and how often it had that status before. */
export type RecordedStatus = { readonly occurredAt: Temporal.Instant; readonly occurrence: number }

/**
 * Writes a status into the row and, when it changed, into the history. Returns undefined and writes nothing when the
 * payment was changed since it was read.
 */
export async function writeStatus(
  database: Queryable,
  payment: Payment,
  next: StatusToRecord,
  changed: boolean,
): Promise<RecordedStatus | undefined> {
  const statement = sql<RecordedStatus>`
    with updated as (
      update payments p set ${statusSet(payment, next, changed)}
      where partner_id = ${payment.partnerId} and id = ${payment.id}
        and status = ${payment.status} and status_reason is not distinct from ${payment.statusReason}
        and bank_status is not distinct from ${payment.bankStatus} and outcome = ${payment.outcome}
        and bank_payment_id is not distinct from ${payment.bankPaymentId}
        -- A signature recorded during the poll changes what the status means.
        and signed = ${payment.signed}
        and exchange is not distinct from ${payment.exchange}
        and status_at = ${text(payment.statusAt)}::timestamptz
      returning partner_id, id, coalesce(announced_at, ${text(next.at)}::timestamptz) as occurred_at),
    history as (
      insert into payment_history (partner_id, payment_id, id, at, status, status_reason, status_reason_text, bank_status)
      select partner_id, id, ${newId()}, ${text(next.at)}::timestamptz, ${next.status}, ${next.statusReason},
        ${next.statusReasonText}, ${next.bankStatus}
      from updated where ${changed})
    select occurred_at as "occurredAt", ${changed ? occurrencesOf(payment, next.status) : sql`0`} as occurrence
    from updated`
  const { rows } = await executePrepared(database, statement)
  return rows[0]
}

/** How often the payment entered a status, as of the snapshot of the statement. */
function occurrencesOf({ partnerId, id }: PaymentKey, status: Payment['status']): RawBuilder<unknown> {
  return sql`(
    select count(*)::int from (
      select status, lag(status) over (order by id) as previous from payment_history
      where partner_id = ${partnerId} and payment_id = ${id}) h
    where h.status = ${status} and h.previous is distinct from h.status)`
}

/**
 * A notification that arrives during a poll triggers another poll at its own time. So does one that is scheduled for
 * later: notifications that arrive until then rely on it.
 */
function statusSet(payment: Payment, next: StatusToRecord, changed: boolean): RawBuilder<unknown> {
  const [at, pollAt] = [text(next.at), text(next.pollAt)]
  const real = sql`${text(next.real)}::timestamptz`
  const wasNotified = sql`(bank_notified_at is distinct from ${text(payment.bankNotifiedAt)}::timestamptz or bank_notified_at > ${real})`
  const afterNotification = sql`${at}::timestamptz + (bank_notified_at - ${real})`
  const announced = sql`announced_at = greatest(${at}::timestamptz, announced_at + interval '1 millisecond'), `
  return sql`
    status = ${next.status}, status_reason = ${next.statusReason}, status_reason_text = ${next.statusReasonText},
    bank_status = ${next.bankStatus}, signed = ${next.signed},
    signed_at = case when ${next.signed} then coalesce(signed_at, ${at}::timestamptz) end, status_at = ${at}::timestamptz,
    ${changed ? sql`changed_at = ${at}::timestamptz, ` : sql``}
    ${payment.status === next.status ? sql`` : announced}
    ${next.outcome === undefined ? sql`` : sql`outcome = ${next.outcome}, recover_at = null, `}
    ${next.bankPaymentId === undefined ? sql`` : sql`bank_payment_id = ${next.bankPaymentId}, `}
    poll_at = case when ${wasNotified} then least(${pollAt}::timestamptz, ${afterNotification}) else ${pollAt}::timestamptz end,
    poll_step = ${next.pollStep}, final_since = ${text(next.finalSince)}::timestamptz, settled_by = ${next.settledBy},
    ${payment.exchange === next.exchange ? sql`` : sql`exchange = ${next.exchange}, decide_at = ${text(next.decideAt)}::timestamptz,`}
    expired_at = null, unread_since = null, lease_until = null`
}

/** Records that all known signatures were given and schedules an immediate poll. */
export async function writeSigned({ query }: Database<unknown>, key: PaymentKey, at: Temporal.Instant): Promise<void> {
  await sql`
    update payments set signed = true, signed_at = coalesce(signed_at, ${timestamp(at)}), poll_at = ${timestamp(at)},
      poll_step = 0, unread_since = null
    where ${hasKey(key)}`.execute(query)
}

/**
 * Sets the time of the next poll and releases the lease. A time that a signature or a notification has set since the
 * payment was read is preserved.
 */
export async function writeNextPoll(
  database: Database<unknown>,
  payment: PaymentKey & Pick<Payment, 'pollAt' | 'signed' | 'bankNotifiedAt'>,
  next: Pick<Payment, 'pollAt' | 'pollStep' | 'unreadSince'>,
): Promise<void> {
  await sql`
    update payments p set lease_until = null,
      poll_at = case when untouched then ${text(next.pollAt)}::timestamptz else poll_at end,
      poll_step = case when untouched then ${next.pollStep} else poll_step end,
      unread_since = case when untouched then ${text(next.unreadSince)}::timestamptz else unread_since end
    from (
      select partner_id, id, signed = ${payment.signed}
        and poll_at is not distinct from ${text(payment.pollAt)}::timestamptz
        and bank_notified_at is not distinct from ${text(payment.bankNotifiedAt)}::timestamptz as untouched
      from payments where partner_id = ${payment.partnerId} and id = ${payment.id} for update) seen
    where p.partner_id = seen.partner_id and p.id = seen.id`.execute(database.query)
}

function text(instant: Temporal.Instant | null): string | null {
  return instant?.toString() ?? null
}

/**
 * Acquires the lease of a payment that is due for polling; returns false when it is not due or leased by another
 * worker.
 */
export async function acquirePollLease(
  { database, clock }: Context,
  { partnerId, id }: PaymentKey,
  lease: Lease,
): Promise<boolean> {
  const where = sql<boolean>`poll_at <= ${clock.now().toString()}`
  return await takeLease(database, { table: 'payments', key: { partner_id: partnerId, id } }, lease, { where })
}

/** When a notification arrived, and the minimum interval between polls triggered by notifications. */
export type NotificationTimes = {
  readonly now: Temporal.Instant
  /** Wall time. */
  readonly real: Temporal.Instant
  readonly quietSeconds: number
}

/**
 * Records a notification: the payment is polled at once, or `quietSeconds` after the last notification that triggered a
 * poll; a poll that is scheduled already is enough. An order with an unknown outcome is not polled: its notifications
 * are only counted. Returns false when nothing was recorded. A wrong token locks no row; its hash is null where the
 * caller has verified another token.
 */
export async function recordNotification(
  database: Database<unknown>,
  key: PaymentKey & { readonly notificationTokenHash: string | null },
  times: NotificationTimes,
): Promise<boolean> {
  const [now, real] = [sql`${text(times.now)}::timestamptz`, sql`${text(times.real)}::timestamptz`]
  const { rows } = await sql`
    update payments p set bank_notified_at = allowed_at, unread_since = null,
      poll_at = case when outcome = 'known' then least(poll_at, ${now} + (allowed_at - ${real})) else poll_at end
    from (
      select partner_id, id, greatest(${real}, bank_notified_at + interval '1 second' * ${times.quietSeconds}::float8) as allowed_at
      from payments where partner_id = ${key.partnerId} and id = ${key.id}
        ${key.notificationTokenHash === null ? sql`` : sql`and notification_token_hash = ${key.notificationTokenHash}`} for update) h
    where p.partner_id = h.partner_id and p.id = h.id
      and (bank_notified_at is null or bank_notified_at <= ${real}) and (outcome = 'known' or allowed_at = ${real})
    returning p.id`.execute(database.query)
  return rows.length === 1
}

/** Settles an unknown outcome: the bank holds the order under this id. Returns false when it was settled before. */
export async function writeAcknowledgedOutcome(
  { query }: Database<unknown>,
  key: PaymentKey,
  { bankPaymentId, pollAt }: { readonly bankPaymentId: string; readonly pollAt: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payments set outcome = 'known', bank_payment_id = ${bankPaymentId}, recover_at = null,
      poll_at = ${timestamp(pollAt)}, poll_step = 0, unread_since = null
    where ${hasKey(key)} and outcome in ('in-flight', 'unknown')`.execute(query)
  return numAffectedRows === 1n
}

/** One status that a bank reported. */
type HistoryEntry = Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'>

/** Some banks change a status to and fro for months: only the latest entries are shown. */
const HISTORY_SHOWN_MAX = 100

/** Returns the latest statuses that the bank reported of a payment, oldest first. */
export async function listHistory(
  { query }: Database<unknown>,
  { partnerId, id }: PaymentKey,
): Promise<readonly HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    select status, status_reason as "statusReason", status_reason_text as "statusReasonText", at as "statusAt"
    from payment_history where partner_id = ${partnerId} and payment_id = ${id}
    order by id desc limit ${HISTORY_SHOWN_MAX}`.execute(query)
  return rows.toReversed()
}
