/** Tells how far the orders of a payroll are on their way to its bank, for the room that places and withdraws them. */
import type { Context } from '../../context.ts'
import type { Queryable } from '../../foundation/database/atomically.ts'
import { isHeld, isOutcomeUnknown, type Payment, permits } from '../payment.ts'
import { ordersOfPayroll } from './orders-of-payroll.ts'
import type { PayrollKey } from './payroll-order.ts'
import { countPlacing, listWaiting, type PlacingCounts } from './placing-progress-store.ts'
import { settleWhole } from './whole-store.ts'

export type { PlacingCounts } from './placing-progress-store.ts'

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

/** The orders of a payroll that its bank holds or may hold, and that nobody has signed to the end. */
export async function withdrawableOrders(
  context: Pick<Context, 'database'>,
  key: PayrollKey,
): Promise<readonly Payment[]> {
  const orders = await ordersOfPayroll(context, key)
  return orders.filter((order) => isOutcomeUnknown(order) || (isHeld(order) && permits(order, 'withdraw')))
}

/** Draws the status of the whole from its parts anew, within the transaction that changes how far it is. */
export async function drawWhole(transaction: Queryable, key: PayrollKey, at: Temporal.Instant): Promise<void> {
  await settleWhole(transaction, key, at)
}
