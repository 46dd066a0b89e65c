/** Holds the statements that end a submission otherwise than by its acknowledgement. */
import { sql } from 'kysely'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import {
  deleteOpenRequestsSql,
  markOpenRequestsUnknownSql,
} from '../../platform/http/idempotency/idempotency-fragments.ts'
import type { SubmissionOutcome } from '../payment.ts'
import { bulkIdOf } from '../payroll-order.ts'
import { occurrencesOf } from './payment-status-store.ts'
import type { PaymentKey } from './payment-store.ts'
import type { Acknowledgement } from './submission-store.ts'

/**
 * Deletes an order that the bank certainly did not accept and releases its idempotency key, even after recovery has
 * taken over. Returns the previous outcome, or undefined when it was settled meanwhile.
 */
export async function deleteSubmission(
  database: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<SubmissionOutcome | undefined> {
  const { rows } = await sql<{ outcome: SubmissionOutcome }>`
    with dropped as (
      delete from payments where partner_id = ${partnerId} and id = ${id} and outcome in ('in-flight', 'unknown')
      returning outcome, idempotency_operation as operation, idempotency_key as key),
    freed as (${deleteOpenRequestsSql(partnerId, 'dropped')})
    select outcome from dropped`.execute(database.query)
  return rows[0]?.outcome
}

/** Marks the outcome of an order as unknown, also under its idempotency key. Returns false when it was settled. */
export async function recordUnknownOutcome(
  { query }: Database<unknown>,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await sql`
    with marked as (
      update payments set outcome = 'unknown', recover_at = null, lease_until = null
      where partner_id = ${partnerId} and id = ${id} and outcome = 'in-flight'
      returning id, idempotency_operation as operation, idempotency_key as key),
    keys as (${markOpenRequestsUnknownSql(partnerId, 'marked')})
    select id from marked`.execute(query)
  return rows.length === 1
}

/** The data that restores a payment voided by operators. */
export type RestorationRow = Omit<Acknowledgement, 'exchange'>

/** The restored payment and the time of its event. */
type RestoredPayment = {
  readonly previousStatus: PaymentStatusValue
  readonly announcedAt: Temporal.Instant | null
  /** How often it had the restored status before. */
  readonly occurrence: number
}

/** Restores a void payment; returns its previous status and the time of the event, or undefined when it is not void. */
export async function writeRestoredPayment(
  transaction: Queryable,
  row: RestorationRow,
): Promise<RestoredPayment | undefined> {
  const [at, isChange] = [sql`${row.statusAt.toString()}::timestamptz`, sql`b.status <> ${row.status}`]
  const { rows } = await sql<RestoredPayment>`
    with before as (
      select partner_id, id, status from payments
      where partner_id = ${row.partnerId} and id = ${row.id} and outcome = 'void' for update),
    updated as (
      update payments p set outcome = 'known', bank_payment_id = ${row.bankPaymentId}, status = ${row.status},
        status_reason = ${row.statusReason}, status_reason_text = ${row.statusReasonText},
        bank_status = ${row.bankStatus}, signed = ${row.signed}, signed_at = case when ${row.signed} then ${at} end,
        status_at = ${at}, changed_at = ${at}, poll_at = ${row.pollAt?.toString() ?? null}::timestamptz, poll_step = 0,
        final_since = ${row.finalSince?.toString() ?? null}::timestamptz, recover_at = null,
        -- Its deal was cancelled when operators voided it.
        exchange = case when p.exchange is not null then 'uncancellable' end,
        decide_at = case when p.exchange is not null then ${at} end,
        announced_at = case when ${isChange} then greatest(${at}, p.announced_at + interval '1 millisecond')
          else p.announced_at end
      from before b where p.partner_id = b.partner_id and p.id = b.id
      returning p.partner_id, p.id, b.status as previous, p.announced_at as announced),
    history as (
      insert into payment_history (partner_id, payment_id, id, at, status, status_reason, status_reason_text, bank_status)
      select partner_id, id, ${row.historyId}, ${at}, ${row.status}, ${row.statusReason}, ${row.statusReasonText},
        ${row.bankStatus}
      from updated)
    select previous as "previousStatus", announced as "announcedAt",
      ${occurrencesOf(row, row.status)} as occurrence from updated`.execute(transaction.query)
  return rows[0]
}

/** Runs in the transaction that stores the order; returns the id that Havn assigns for the bank. */
export async function recordFileOrderQueued({ query }: Queryable, key: PaymentKey): Promise<string> {
  const messageId = bulkIdOf(key.id)
  await sql`
    update payments set outcome = 'known', bank_payment_id = ${messageId}, recover_at = null, poll_at = null
    where ${hasKey(key)}`.execute(query)
  return messageId
}
