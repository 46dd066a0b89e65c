/** Carries out at the provider what was decided of an exchange; repeated after a death, only what is missing is done. */

import type { Context } from '../../context.ts'
import { breakDeal } from '../../fx/break-deal.ts'
import type { BreakReason, Deal, DealState } from '../../fx/deals/deal.ts'
import { findDeal } from '../../fx/deals/find-deal-by-payment.ts'
import { standDeal } from '../../fx/stand-deal.ts'
import { dealFollows, type ExchangeState } from '../../orders/exchange/exchange.ts'
import { postponeDecision } from '../../orders/exchange/exchange-store.ts'
import type { Payment } from '../../orders/payment.ts'
import { followDeal } from './apply-deal-to-payment.ts'
import { withdrawUndone } from './withdraw-at-deadline.ts'

/** A deal whose booking is not known yet is broken when it is. */
const ENDS: ReadonlySet<DealState> = new Set(['booking', 'breaking', 'broken', 'failed'])

/** Between attempts at a bank that is away: nothing waits for it any more but the order itself. */
const WITHDRAWN_AGAIN = { minutes: 5 }

/** The deal stands or is undone, and nothing is left to do. One that went another way meanwhile takes its payment along. */
export async function carryOutDecision(context: Context, payment: Payment): Promise<void> {
  const { partnerId, id: paymentId, exchange } = payment
  const deal = await findDeal(context.database, { partnerId, paymentId })
  const follows = exchange === null ? null : dealFollows[exchange]
  if (deal !== undefined && exchange !== null && follows === 'stand') {
    await standDeal(context, deal, payment.signedAt ?? context.clock.now())
  } else if (deal !== undefined && exchange !== null && follows === 'break') {
    const broken = await breakFor(context, payment, deal)
    await (ENDS.has(broken.state) ? undefined : followDeal(context, broken))
  }
  const isDone = exchange !== 'unwithdrawn' || (await withdrawUndone(context, payment))
  await postponeDecision(context.database, payment, isDone ? null : context.clock.now().add(WITHDRAWN_AGAIN))
}

const REASON: Readonly<Partial<Record<ExchangeState, BreakReason>>> = {
  refused: 'funding-refused',
  unwithdrawn: 'unsigned',
}

/** One that was made to stand meanwhile is undone because its money cannot come. */
async function breakFor(context: Context, payment: Payment, deal: Deal): Promise<Deal> {
  const broken = await breakDeal(context, deal, reasonOf(context, payment, deal))
  return broken.state === 'standing' ? await breakDeal(context, broken, 'funding-refused') : broken
}

/** One that stands is undone only where its money cannot come. */
function reasonOf({ clock }: Pick<Context, 'clock'>, payment: Payment, { state, deadline }: Deal): BreakReason {
  const isOver = Temporal.Instant.compare(clock.now(), deadline) >= 0
  const named = payment.exchange === null ? undefined : REASON[payment.exchange]
  return state === 'standing' ? 'funding-refused' : (named ?? (isOver ? 'unsigned' : 'cancelled'))
}
