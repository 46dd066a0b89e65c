/** Gives up a payment with exchange that its bank certainly does not hold: its deal is undone, and nothing is left of it. */

import type { Context } from '../../context.ts'
import { breakDeal } from '../../fx/break-deal.ts'
import { findDeal } from '../../fx/deals/find-deal-by-payment.ts'
import type { ExchangeState } from '../../orders/exchange/exchange.ts'
import { markGivenUp } from '../../orders/exchange/exchange-store.ts'
import { findPayment } from '../../orders/payment-store.ts'
import { giveUp } from '../../orders/submission/fail-submission.ts'
import type { Intent } from '../../orders/submission/submission.ts'

/** From which states who gives it up: only whoever has asked its bank, or was about to, knows that it holds no order. */
const GIVEN_UP_BY = {
  asker: ['booking', 'awaited', 'broken'],
  recovery: ['booking', 'broken'],
} as const satisfies Record<string, readonly ExchangeState[]>

/**
 * Repeated after a death in between, only what is missing is done: the payment is marked before its deal is undone, and
 * forgotten after that. False when the bank holds, or may hold, the order by now.
 */
export async function giveUpExchange(
  context: Context,
  intent: Pick<Intent, 'partnerId' | 'paymentId' | 'bankRequestId'>,
  cause: unknown,
  by: keyof typeof GIVEN_UP_BY = 'asker',
): Promise<boolean> {
  const { partnerId, paymentId } = intent
  const key = { partnerId, id: paymentId }
  const isGivenUp = await markGivenUp(context.database, key, GIVEN_UP_BY[by])
  // Whoever was slow finds that recovery has forgotten the payment, which did not see the deal yet.
  if (!isGivenUp && (await findPayment(context.database, key)) !== undefined) {
    return false
  }
  const deal = await findDeal(context.database, { partnerId, paymentId })
  await (deal && breakDeal(context, deal, 'given-up'))
  await giveUp(context, intent, 'refused', cause)
  return true
}
