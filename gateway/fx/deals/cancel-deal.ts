/** Cancels a deal for good; the sweep then cancels its conversion at the provider. */
import type { ProgramContext } from '../../platform/program-context.ts'
import { cancellableFrom, type Deal, type DealCancellationReason } from './deal.ts'
import { findDealById } from './deal-store.ts'
import { writePendingCancellation } from './deal-transition-store.ts'
import { transitionDeal } from './transition-deal.ts'

/**
 * Returns the deal as decided: `cancelling`, `cancelled` or `failed`. A deal whose booking outcome is unknown stays
 * `booking` with `cancelReason` set, and is cancelled once the outcome is known. A deal that this reason may not cancel
 * (`cancellableFrom`) is returned unchanged: a confirmed deal is not cancelled for a missing signature.
 */
export async function cancelDeal(context: ProgramContext, deal: Deal, reason: DealCancellationReason): Promise<Deal> {
  if (!cancellableFrom[reason].includes(deal.state)) {
    return deal
  }
  const unwindAt = context.clock.now()
  const changed =
    deal.state === 'booking'
      ? (await writePendingCancellation(context.database, deal, reason)) && {
          ...deal,
          cancelReason: deal.cancelReason ?? reason,
        }
      : await transitionDeal(context, deal, { state: 'cancelling', reason, unwindAt, detail: { reason } })
  return changed || (await retryCancelDeal(context, deal, reason))
}

/** Another process has changed the deal meanwhile. */
async function retryCancelDeal(context: ProgramContext, deal: Deal, reason: DealCancellationReason): Promise<Deal> {
  const stored = await findDealById(context.database, deal)
  return stored === undefined ? deal : await cancelDeal(context, stored, reason)
}
