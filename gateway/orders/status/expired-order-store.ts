/** The queries on orders that banks let lapse: noted, set aside when placed again, and taken back when that is refused. */
import { sql } from 'kysely'
import type { RowKey } from '../../foundation/due-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import type { HeldPayment, Payment } from '../payment.ts'
import { type PaymentKey, paymentTables } from '../payment-store.ts'

/** Payments ordered longer before a due day have been booked before it. */
const ALIKE_SINCE = { days: 365 }

/** Notes when the bank first said that an order is gone; it counts only while nobody has signed it. */
export async function markLapsed(
  database: Database<unknown>,
  payment: HeldPayment,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update payments set lapsed_at = least(lapsed_at, ${at.toString()}::timestamptz)
    where partner_id = ${payment.partnerId} and id = ${payment.id} and outcome = 'known' and status = 'Unsigned'
      and not signed and bank_payment_id = ${payment.bankPaymentId}`.execute(paymentTables(database))
}

/** Notes that the bank took the withdrawal of an order. */
export async function markWithdrawn(
  database: Database<unknown>,
  payment: HeldPayment,
  at: Temporal.Instant,
): Promise<void> {
  await paymentTables(database)
    .updateTable('payments')
    .set({ withdrawn_at: sql`coalesce(withdrawn_at, ${at.toString()}::timestamptz)` })
    .where('partner_id', '=', payment.partnerId)
    .where('id', '=', payment.id)
    .where('bank_payment_id', '=', payment.bankPaymentId)
    .execute()
}

/** An order that is about to be placed again. */
export type PlacedAgainIntent = PaymentKey & {
  readonly formerBankPaymentId: string
  /** Of the row that looks after the former order from now on, and when it does so first. */
  readonly formerId: string
  readonly formerPollAt: Temporal.Instant
  readonly bankRequestId: string
  readonly hintHash: string
  /** Wall time after which recovery takes the intent up. */
  readonly recoverAt: Temporal.Instant
}

/** Sets the lapsed order aside and keeps the intent to place it again, in one statement. False when something happened. */
export async function keepIntentAgain(database: Database<unknown>, intent: PlacedAgainIntent): Promise<boolean> {
  const { rows } = await sql`
    with asked as (
      update payments set outcome = 'asked', bank_payment_id = null, bank_request_id = ${intent.bankRequestId},
        hint_hash = ${intent.hintHash}, hinted_at = null, lapsed_at = null, poll_at = null, poll_step = 0,
        unread_since = null, recover_at = ${intent.recoverAt.toString()}::timestamptz
      where partner_id = ${intent.partnerId} and id = ${intent.id} and outcome = 'known' and status = 'Unsigned'
        and not signed and bank_payment_id = ${intent.formerBankPaymentId} and lapsed_at is not null
        and withdrawn_at is null
      returning partner_id, id),
    forgotten as (
      -- What the bank knew the payouts of the former order by is nothing of the one that takes its place. Where the
      -- bank does not take it, the ids are looked up again.
      update payroll_transactions t set element_id = null from asked a
      where t.partner_id = a.partner_id and t.payment_id = a.id and t.element_id is not null),
    aside as (
      -- The snapshot still holds what the order was.
      insert into lapsed_orders (partner_id, payment_id, bank_payment_id, bank_request_id, hint_hash, lapsed_at,
        id, bic, poll_at, was_hinted_at, was_poll_at, was_poll_step, was_unread_since)
      select p.partner_id, p.id, p.bank_payment_id, p.bank_request_id, p.hint_hash, p.lapsed_at,
        ${intent.formerId}, p.bic, ${intent.formerPollAt.toString()}::timestamptz, p.hinted_at, p.poll_at, p.poll_step,
        p.unread_since
      from payments p join asked a on a.partner_id = p.partner_id and a.id = p.id)
    select id from asked`.execute(paymentTables(database))
  return rows.length === 1
}

/** The bank did not take it again: the payment is the lapsed order as before. False when its outcome was settled. */
export async function takeBackIntent(database: Database<unknown>, intent: PlacedAgainIntent): Promise<boolean> {
  const { rows } = await sql`
    with former as (
      delete from lapsed_orders where partner_id = ${intent.partnerId} and payment_id = ${intent.id}
        and bank_payment_id = ${intent.formerBankPaymentId}
        and exists (select from payments where partner_id = ${intent.partnerId} and id = ${intent.id}
          and bank_request_id = ${intent.bankRequestId} and outcome in ('asked', 'unknown'))
      returning *)
    update payments p set outcome = 'known', bank_payment_id = f.bank_payment_id, bank_request_id = f.bank_request_id,
      hint_hash = f.hint_hash, hinted_at = f.was_hinted_at, lapsed_at = f.lapsed_at, poll_at = f.was_poll_at,
      poll_step = f.was_poll_step, unread_since = f.was_unread_since, recover_at = null, lease_until = null
    from former f where p.partner_id = f.partner_id and p.id = f.payment_id
    returning p.id`.execute(paymentTables(database))
  return rows.length === 1
}

/** An order that was placed again under another id since. */
export type FormerOrder = RowKey & { readonly paymentId: string; readonly bankPaymentId: string }

/** The former order of a row, or undefined when the payment has returned to it. */
export async function findFormerOrder(
  database: Database<unknown>,
  { partnerId, id }: RowKey,
): Promise<FormerOrder | undefined> {
  return await paymentTables(database)
    .selectFrom('lapsed_orders')
    .select(['partner_id as partnerId', 'id', 'payment_id as paymentId', 'bank_payment_id as bankPaymentId'])
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Says when a former order is looked after next, or never again. */
export async function setFormerPoll(
  database: Database<unknown>,
  { partnerId, id }: RowKey,
  pollAt: Temporal.Instant | null,
): Promise<void> {
  await paymentTables(database)
    .updateTable('lapsed_orders')
    .set({ poll_at: pollAt?.toString() ?? null, lease_until: null })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** How many other payments of the same sum to the same receiver were carried out, or may be, and no entry was found for them. */
export async function countAlike(database: Database<unknown>, payment: Payment): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payments
    where partner_id = ${payment.partnerId} and bic = ${payment.bic} and debtor_bban = ${payment.debtorBban}
      and amount_minor = ${String(payment.amount.minor)}::bigint and currency = ${payment.amount.currency}
      and creditor_bban = ${payment.creditorBban} and id <> ${payment.id} and settled_by is null
      and status in ('InProgress', 'Completed') and created_at >= ${payment.dueDate.subtract(ALIKE_SINCE).toString()}::date`.execute(
    paymentTables(database),
  )
  return rows[0]?.count ?? 0
}
