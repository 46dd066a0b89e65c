/** Tells how far the orders of a payroll are on their way to its bank, for the room that places and withdraws them. */
import type { Context } from '../../context.ts'
import { type HeldPayment, isHeld, isOutcomeUnknown, type Payment, permits } from '../../orders/payment.ts'
import { ordersOfPayroll } from '../../orders/payroll/list-payroll-orders.ts'
import type { PayrollKey } from '../../orders/payroll/payroll-order.ts'
import { settleWhole } from '../../orders/payroll/payroll-status-store.ts'
import { countPlacing, listWaiting, type PlacingCounts } from '../../orders/payroll/submission-progress-store.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { signedByNobody } from '../signed-by-nobody.ts'

export type { PlacingCounts } from '../../orders/payroll/submission-progress-store.ts'

/** Nothing of an order is paid any more. */
const ENDED: ReadonlySet<Payment['status']> = new Set(['Rejected', 'Cancelled'])

/** How many payouts of a payroll are how far. */
export async function placingProgress(
  { database }: Pick<Context, 'database'>,
  key: PayrollKey,
): Promise<PlacingCounts> {
  return await countPlacing(database, key)
}

/** The positions of payouts that no bank has been asked to take, in their order. */
export async function waitingPayouts(
  { database }: Pick<Context, 'database'>,
  key: PayrollKey,
): Promise<readonly number[]> {
  return await listWaiting(database, key)
}

/** The orders of a payroll that is not to be carried out, by what is left to do about them. */
export type OrdersToEnd = {
  /** What the bank may or may not hold: nothing can be done before that is known. */
  readonly unknown: readonly Payment[]
  /** What it holds and nobody has signed to the end, be it because the bank wants no signature. */
  readonly toWithdraw: readonly HeldPayment[]
  /** What it holds, or has carried out. */
  readonly there: readonly HeldPayment[]
}

/** Orders that a user signed are that user's will: they are not among those to withdraw. */
export async function ordersToEnd(context: Pick<Context, 'database'>, key: PayrollKey): Promise<OrdersToEnd> {
  const orders = await ordersOfPayroll(context, key)
  const byNobody = await signedByNobody(context, key.partnerId, orders)
  const there = orders.filter((order) => isHeld(order)).filter(({ status }) => !ENDED.has(status))
  const isOpen = (order: Payment) => permits(order, 'cancel') && (!order.signed || byNobody.has(order.id))
  return { unknown: orders.filter(isOutcomeUnknown), toWithdraw: there.filter(isOpen), there }
}

/**
 * How many payouts ended at the bank without a signature, while nobody has signed any: whoever signs the others signs less
 * than was ordered. Once somebody has begun to sign, the rest goes its way.
 */
export async function lostUnsigned(context: Pick<Context, 'database'>, key: PayrollKey): Promise<number> {
  const orders = await ordersOfPayroll(context, key)
  const isBegun = orders.some(({ signed, statusReason }) => signed || statusReason === 'PartlySigned')
  const lost = isBegun ? [] : orders.filter(({ outcome, status }) => outcome === 'void' || ENDED.has(status))
  return lost.length === orders.length ? 0 : lost.length
}

/** Draws the status of the whole from its parts anew, within the transaction that changes how far it is. */
export async function drawWhole(transaction: Queryable, key: PayrollKey, at: Temporal.Instant): Promise<void> {
  await settleWhole(transaction, key, at)
}
