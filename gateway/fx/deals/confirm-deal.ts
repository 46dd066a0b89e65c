/** Confirms a deal after its funding was signed, even if the signature is reported late. */

import type { Context } from '../../context.ts'
import { nextFundingPollAt } from '../funding/funding-poll-schedule.ts'
import type { Deal } from './deal.ts'
import { findDealById } from './deal-store.ts'
import { transitionDeal } from './transition-deal.ts'

/** Returns the deal after the change; one that is being cancelled or is past confirmation is returned unchanged. */
export async function confirmDeal(context: Context, deal: Deal, signedAt: Temporal.Instant): Promise<Deal> {
  if (deal.state !== 'booked') {
    return deal
  }
  const dueAt = nextFundingPollAt({ ...deal, signedAt }, context.clock.now())
  const detail = { signedAt: signedAt.toString() }
  const moved = await transitionDeal(context, deal, { state: 'confirmed', signedAt, dueAt, detail })
  return moved ?? (await retryConfirmDeal(context, deal, signedAt))
}

async function retryConfirmDeal(context: Context, deal: Deal, signedAt: Temporal.Instant): Promise<Deal> {
  const stored = await findDealById(context.database, deal)
  return stored === undefined ? deal : await confirmDeal(context, stored, signedAt)
}
