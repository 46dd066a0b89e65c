/** Applies the state of a deal to the payment to which it belongs. */
import type { Context } from '../../context.ts'
import { cancelDeal } from '../../fx/deals/change-deal.ts'
import type { Deal, DealState } from '../../fx/store/deal.ts'
import { type ExchangeState, exchangeTransitions } from '../exchange-state.ts'
import type { Payment } from '../payment.ts'
import { ConcurrentUpdateError, recordPaymentStatus } from '../status/record-payment-status.ts'
import { findPayment } from '../store/payment-store.ts'

/** Attempts against concurrent updates, which come one at a time. */
const ATTEMPTS_MAX = 5

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
  const { partnerId, paymentId } = deal
  for (let attempt = 0; paymentId !== null && attempt < ATTEMPTS_MAX; attempt += 1) {
    const payment = await findPayment(context.database, { partnerId, id: paymentId })
    if (payment === undefined) {
      // Recovery deleted the payment of a slow process, which then crashed before it could cancel the deal.
      await cancelDeal(context, deal, 'given-up')
      return
    }
    const to = nextOf(payment, deal)
    if (to === undefined || (await wasRecorded(context, payment, to, TEXTS[deal.state] ?? null))) {
      return
    }
  }
  throw new Error(`The deal of payment ${paymentId} could not be applied after ${ATTEMPTS_MAX} concurrent updates`)
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

async function wasRecorded(
  context: Context,
  payment: Payment,
  to: ExchangeState,
  text: string | null,
): Promise<boolean> {
  try {
    await recordExchangeState(context, payment, to, text)
    return true
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) {
      return false
    }
    throw error
  }
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
