/** Executes the decision on an exchange at the FX provider; can be repeated after a crash. */

import type { Context } from '../../context.ts'
import { cancelDeal, confirmDeal } from '../../fx/deals/change-deal.ts'
import { findDeal } from '../../fx/deals/get-deal.ts'
import type { Deal, DealCancellationReason, DealState } from '../../fx/store/deal.ts'
import { dealActionByExchangeState, type ExchangeState } from '../exchange-state.ts'
import type { Payment } from '../payment.ts'
import { postponeExchangeDecision } from '../store/exchange-store.ts'
import { applyDealToPayment } from './apply-deal-to-payment.ts'
import { cancelOrderOfCancelledExchange } from './cancel-order-at-deadline.ts'

/** Deal states that need no application to the payment; a deal with an unknown booking is cancelled once it is known. */
const DEAL_END_STATES: ReadonlySet<DealState> = new Set(['booking', 'cancelling', 'cancelled', 'failed'])

/** Between attempts to cancel the order at a bank that is away: only the order is left to cancel. */
const CANCELLATION_RETRY_AFTER = { minutes: 5 }

/** Confirms or cancels the deal. A deal that went another way meanwhile is applied to the payment. */
export async function applyExchangeDecision(context: Context, payment: Payment): Promise<void> {
  const { partnerId, id: paymentId, exchange } = payment
  const deal = await findDeal(context.database, { partnerId, paymentId })
  const action = exchange === null ? null : dealActionByExchangeState[exchange]
  if (deal !== undefined && exchange !== null && action === 'confirm') {
    await confirmDeal(context, deal, payment.signedAt ?? context.clock.now())
  } else if (deal !== undefined && exchange !== null && action === 'cancel') {
    const cancelled = await cancelDealOf(context, payment, deal)
    await (DEAL_END_STATES.has(cancelled.state) ? undefined : applyDealToPayment(context, cancelled))
  }
  const isDone = exchange !== 'uncancellable' || (await cancelOrderOfCancelledExchange(context, payment))
  await postponeExchangeDecision(
    context.database,
    payment,
    isDone ? null : context.clock.now().add(CANCELLATION_RETRY_AFTER),
  )
}

const REASON: Readonly<Partial<Record<ExchangeState, DealCancellationReason>>> = {
  rejected: 'funding-rejected',
  uncancellable: 'unsigned',
}

/** A deal that was confirmed meanwhile is cancelled because its funding cannot arrive. */
async function cancelDealOf(context: Context, payment: Payment, deal: Deal): Promise<Deal> {
  const cancelled = await cancelDeal(context, deal, reasonOf(context, payment, deal))
  return cancelled.state === 'confirmed' ? await cancelDeal(context, cancelled, 'funding-rejected') : cancelled
}

/** A confirmed deal is cancelled only when its funding cannot arrive. */
function reasonOf({ clock }: Context, payment: Payment, { state, deadline }: Deal): DealCancellationReason {
  const isOver = Temporal.Instant.compare(clock.now(), deadline) >= 0
  const named = payment.exchange === null ? undefined : REASON[payment.exchange]
  return state === 'confirmed' ? 'funding-rejected' : (named ?? (isOver ? 'unsigned' : 'cancelled'))
}
