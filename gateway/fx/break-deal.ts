/** Breaks a deal: decided here, once and for good; what it takes at the provider follows by itself. */
import { type BreakReason, breaksFrom, type Deal } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { writeUnwanted } from './deals/deal-transition-store.ts'
import { type Moving, moveDeal } from './deals/transition-deal.ts'

/**
 * The deal as it is then: `breaking` or already `broken` or `failed` when it is decided. One whose booking is not known yet
 * stays `booking`, with `unwanted` set, and is broken as soon as it is known. Whatever may not be broken for this reason
 * stays as it is: a deal that stands is not broken for want of a signature, whoever thought so first.
 */
export async function breakDeal(context: Moving, deal: Deal, why: BreakReason): Promise<Deal> {
  if (!breaksFrom[why].includes(deal.state)) {
    return deal
  }
  const breakAt = context.clock.now()
  const changed =
    deal.state === 'booking'
      ? (await writeUnwanted(context.database, deal, why)) && { ...deal, unwanted: deal.unwanted ?? why }
      : await moveDeal(context, deal, { state: 'breaking', reason: why, breakAt, detail: { reason: why } })
  return changed || (await breakAnew(context, deal, why))
}

/** Somebody else moved it meanwhile. */
async function breakAnew(context: Moving, deal: Deal, why: BreakReason): Promise<Deal> {
  const kept = await findDealById(context.database, deal)
  return kept === undefined ? deal : await breakDeal(context, kept, why)
}
