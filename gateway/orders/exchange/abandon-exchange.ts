/** Abandons the exchange of a payment that is certainly not at its bank: cancels the deal, deletes the payment. */

import type { Context } from '../../context.ts'
import { cancelDeal } from '../../fx/deals/cancel-deal.ts'
import { findDeal } from '../../fx/deals/find-deal-by-payment.ts'
import type { ExchangeState } from '../exchange-state.ts'
import { recordExchangeAbandoned } from '../store/exchange-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { failSubmission } from '../submit/fail-submission.ts'
import type { Submission } from '../submit/submission.ts'

/**
 * The states from which each caller may abandon it: only the process that submits knows that the bank holds no order.
 */
const ABANDONABLE_FROM = {
  asker: ['booking', 'unsigned', 'cancelled'],
  recovery: ['booking', 'cancelled'],
} as const satisfies Record<string, readonly ExchangeState[]>

/**
 * Can be repeated after a crash: the payment is marked first, then the deal is cancelled, then the payment is deleted.
 * Returns false when the bank holds, or may hold, the order by now.
 */
export async function abandonExchange(
  context: Context,
  submission: Pick<Submission, 'partnerId' | 'paymentId' | 'bankRequestId'>,
  cause: unknown,
  by: keyof typeof ABANDONABLE_FROM = 'asker',
): Promise<boolean> {
  const { partnerId, paymentId } = submission
  const key = { partnerId, id: paymentId }
  const isAbandoned = await recordExchangeAbandoned(context.database, key, ABANDONABLE_FROM[by])
  // Recovery may have deleted the payment before this process had booked the deal.
  if (!isAbandoned && (await findPayment(context.database, key)) !== undefined) {
    return false
  }
  const deal = await findDeal(context.database, { partnerId, paymentId })
  await (deal && cancelDeal(context, deal, 'given-up'))
  await failSubmission(context, submission, 'rejected', cause)
  return true
}
