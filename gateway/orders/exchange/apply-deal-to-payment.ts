/** Applies the state of a deal to the payment to which it belongs. */
import type { Context } from '../../context.ts'
import { cancelDeal } from '../../fx/deals/change-deal.ts'
import type { Deal, DealState } from '../../fx/store/deal.ts'
import { type ExchangeState, exchangeTransitions } from '../exchange-state.ts'
import type { Payment } from '../payment.ts'
import { recordPaymentStatus, retryOnConcurrentUpdate } from '../status/record-payment-status.ts'

/** The exchange state that follows from a deal state; those that follow from the payment itself are missing. */
const EXCHANGE_STATE_BY_DEAL_STATE: Readonly<Partial<Record<DealState, ExchangeState>>> = {
  funded: 'funded',
  paying: 'funded',
  paid: 'paid',
  returned: 'returned',
  refunded: 'returned',
  failed: 'cancelled',
  cancelling: 'cancelled',
  cancelled: 'cancelled',
}

/** Idempotent; a state that the payment can no longer reach is ignored. */
export async function applyDealToPayment(context: Context, deal: Deal): Promise<void> {
  const { partnerId, paymentId: id, state } = deal
  const apply = async (payment: Payment | undefined) => {
    if (payment === undefined) {
      // Recovery deleted the payment of a slow process, which then crashed before it could cancel the deal.
      await cancelDeal(context, deal, 'given-up')
      return
    }
    const to = nextOf(payment, deal)
    await (to && recordExchangeState(context, payment, to, TEXTS[state] ?? null))
  }
  if (id === null || !(await retryOnConcurrentUpdate(context, { partnerId, id }, apply))) {
    throw new Error(`The deal of payment ${id} could not be applied after concurrent updates`)
  }
}

/** Returns undefined when nothing is to be recorded. */
function nextOf({ exchange, outcome }: Payment, { state }: Deal): ExchangeState | undefined {
  const target = EXCHANGE_STATE_BY_DEAL_STATE[state]
  if (exchange === null || target === undefined || exchange === 'booking') {
    return undefined
  }
  // An exchange whose payment an operator has voided is exempt: for the others the bank may still hold the order.
  const mayBeHeld = exchange === 'unsigned' && target === 'cancelled' && outcome !== 'void'
  const to = mayBeHeld ? 'uncancellable' : target
  const isNewer = exchangeTransitions[exchange].includes(to) && !(exchange === 'uncancellable' && to === 'cancelled')
  return isNewer ? to : undefined
}

const TEXTS: Readonly<Partial<Record<DealState, string>>> = {
  returned: 'The receiver’s bank returned the payout',
  refunded: 'The receiver’s bank returned the payout',
  cancelling: 'The exchange was cancelled because its funding did not arrive',
  cancelled: 'The exchange was cancelled because its funding did not arrive',
}

/** Returns the updated payment. Throws `ConcurrentUpdateError` when the state cannot be reached any more. */
export async function recordExchangeState(
  context: Context,
  payment: Payment,
  to: ExchangeState,
  text: string | null,
): Promise<Payment> {
  const { statusReason, bankStatus } = payment
  const observation = { status: null, statusReason, statusReasonText: text, bankStatus: bankStatus ?? '' }
  return await recordPaymentStatus(context, payment, observation, { move: 'exchange', to })
}
