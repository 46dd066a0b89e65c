/** The statements that write what a bank said of a payment, and the sweeps that lead to asking it. */
import { sql } from 'kysely'
import type { Database } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import type { Payment } from './payment.ts'
import { type PaymentKey, paymentTables } from './payment-store.ts'

/** A status to record, and when to read the payment again. */
export type StatusToRecord = Pick<
  Payment,
  'status' | 'statusReason' | 'statusReasonText' | 'bankStatus' | 'signed' | 'pollStep' | 'pollAt' | 'finalSince'
> & {
  readonly at: Temporal.Instant
  /** Given when the outcome is settled together with the status. */
  readonly outcome?: 'void'
}

/**
 * Records a status in one transaction: row and, when anything of it changed, history.
 * False when something happened to the payment since it was read; then nothing was written.
 */
export async function writeStatus(
  database: Database<unknown>,
  payment: Payment,
  next: StatusToRecord,
  changed: boolean,
): Promise<boolean> {
  const at = next.at.toString()
  const status = {
    status: next.status,
    status_reason: next.statusReason,
    status_reason_text: next.statusReasonText,
    bank_status: next.bankStatus,
  }
  return await paymentTables(database)
    .transaction()
    .execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('payments')
        .set({
          ...status,
          ...(next.outcome === undefined ? {} : { outcome: next.outcome, recover_at: null }),
          signed: next.signed,
          status_at: at,
          ...(changed ? { changed_at: at } : {}),
          poll_step: next.pollStep,
          poll_at: next.pollAt?.toString() ?? null,
          unread_since: null,
          final_since: next.finalSince?.toString() ?? null,
          lease_until: null,
        })
        .where('partner_id', '=', payment.partnerId)
        .where('id', '=', payment.id)
        .where('status', '=', payment.status)
        .where('outcome', '=', payment.outcome)
        // A signature or a hint that came while the bank was read wants a reading of its own.
        .where('signed', '=', payment.signed)
        .where(sql<boolean>`hinted_at is not distinct from ${payment.hintedAt?.toString() ?? null}`)
        .where(sql<boolean>`status_at = ${payment.statusAt.toString()}`)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) {
        return false
      }
      if (changed) {
        await transaction
          .insertInto('payment_history')
          .values({ partner_id: payment.partnerId, payment_id: payment.id, id: newId(), at, ...status })
          .execute()
      }
      return true
    })
}

/** Notes that all signatures we know of were given, and has the payment read at once. */
export async function markSigned(database: Database<unknown>, key: PaymentKey, at: Temporal.Instant): Promise<void> {
  await paymentTables(database)
    .updateTable('payments')
    .set({ signed: true, poll_at: at.toString(), poll_step: 0, unread_since: null })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .execute()
}

/**
 * Has a payment read at another time, and gives its lease back. A time that a signature or a hint has set since the
 * payment was read stays as it is.
 */
export async function postponePoll(
  database: Database<unknown>,
  payment: PaymentKey & Pick<Payment, 'pollAt' | 'signed' | 'hintedAt'>,
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
        and hinted_at is not distinct from ${text(payment.hintedAt)}::timestamptz as untouched
      from payments where partner_id = ${payment.partnerId} and id = ${payment.id} for update) seen
    where p.partner_id = seen.partner_id and p.id = seen.id`.execute(paymentTables(database))
}

function text(instant: Temporal.Instant | null): string | null {
  return instant?.toString() ?? null
}

/** Takes the lease of a payment whose next read is due; false when it is not due, or somebody else is reading it. */
export async function claimRead(
  database: Database<unknown>,
  key: PaymentKey,
  times: { readonly now: Temporal.Instant; readonly real: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    update payments set lease_until = ${times.leaseUntil.toString()}
    where partner_id = ${key.partnerId} and id = ${key.id} and poll_at <= ${times.now.toString()}
      and (lease_until is null or lease_until < ${times.real.toString()})
    returning id`.execute(paymentTables(database))
  return rows.length === 1
}

/** Takes a hint: the payment is read at once unless a hint came within the last `quiet`. Answers whom it was about. */
export async function takeHint(
  database: Database<unknown>,
  key: PaymentKey & { readonly hintHash: string },
  times: { readonly now: Temporal.Instant; readonly real: Temporal.Instant; readonly quietSince: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql`
    update payments set hinted_at = ${times.real.toString()},
      poll_at = case when poll_at is null then null else least(poll_at, ${times.now.toString()}) end, poll_step = 0,
      unread_since = null
    where partner_id = ${key.partnerId} and id = ${key.id} and hint_hash = ${key.hintHash}
      and (hinted_at is null or hinted_at < ${times.quietSince.toString()})
    returning id`.execute(paymentTables(database))
  return rows.length === 1
}

/** Settles an unknown outcome: the bank holds the order under this id. False when it was settled before. */
export async function markKnown(
  database: Database<unknown>,
  key: PaymentKey,
  known: { readonly bankPaymentId: string; readonly pollAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await paymentTables(database)
    .updateTable('payments')
    .set({
      outcome: 'known',
      bank_payment_id: known.bankPaymentId,
      recover_at: null,
      poll_at: known.pollAt.toString(),
      poll_step: 0,
      unread_since: null,
    })
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
    .where('outcome', 'in', ['asked', 'unknown'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
