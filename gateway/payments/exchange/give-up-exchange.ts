/** Gives up a payment with exchange that its bank certainly does not hold: its deal is undone, and nothing is left of it. */

import type { Context } from '../../context.ts'
import { breakDeal } from '../../fx/break-deal.ts'
import { findDeal } from '../../fx/find-deal.ts'
import { giveUp } from '../give-up-intent.ts'
import type { Intent } from '../intent.ts'
import { findPayment } from '../payment-store.ts'
import { markGivenUp } from './exchange-store.ts'

/**
 * Repeated after a death in between, only what is missing is done: the payment is marked before its deal is undone, and
 * forgotten after that. False when the bank holds the order by now.
 */
export async function giveUpExchange(
  context: Context,
  intent: Pick<Intent, 'partnerId' | 'paymentId' | 'bankRequestId'>,
  cause: unknown,
): Promise<boolean> {
  const { partnerId, paymentId } = intent
  const key = { partnerId, id: paymentId }
  const isGivenUp = await markGivenUp(context.database, key)
  // Whoever was slow finds that recovery has forgotten the payment, which did not see the deal yet.
  if (!isGivenUp && (await findPayment(context.database, key)) !== undefined) {
    return false
  }
  const deal = await findDeal(context.database, { partnerId, paymentId })
  await (deal && breakDeal(context, deal, 'given-up'))
  await giveUp(context, intent, 'refused', cause)
  return true
}
