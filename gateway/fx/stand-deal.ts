/** Lets a deal stand: its funding was signed, be it learned in time or late. */
import type { Deal } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { type Moving, moveDeal } from './deals/transition-deal.ts'
import { nextLookForFunds } from './funding/funding-poll-schedule.ts'

/** The deal as it is then; one that is being broken, or has gone on already, stays as it is. */
export async function standDeal(context: Moving, deal: Deal, signedAt: Temporal.Instant): Promise<Deal> {
  if (deal.state !== 'booked') {
    return deal
  }
  const dueAt = nextLookForFunds({ ...deal, signedAt }, context.clock.now())
  const detail = { signedAt: signedAt.toString() }
  const moved = await moveDeal(context, deal, { state: 'standing', signedAt, dueAt, detail })
  return moved ?? (await standAnew(context, deal, signedAt))
}

async function standAnew(context: Moving, deal: Deal, signedAt: Temporal.Instant): Promise<Deal> {
  const kept = await findDealById(context.database, deal)
  return kept === undefined ? deal : await standDeal(context, kept, signedAt)
}
