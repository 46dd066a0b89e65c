/** Looks for the money of a deal that stands, and tells people when it does not come. */
import type { Deal } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { postponeDeal } from './deals/deal-transition-store.ts'
import { tellPeople } from './deals/raise-deal-task.ts'
import { fundsOverdueAt, nextLookForFunds } from './funding/funding-poll-schedule.ts'
import type { FxContext } from './fx-context.ts'
import { lookUnlessJustDone } from './look-for-receipts.ts'
import { attempt, providerOf, retryAfter } from './provider-of.ts'

/** What was found, by this look or another one, has moved the deal on by then; all else is for one that still waits. */
export async function awaitFunds(context: FxContext, deal: Deal): Promise<void> {
  const { clock, database } = context
  const looked = await attempt(() => lookUnlessJustDone(context, providerOf(context, deal)))
  const now = clock.now()
  if ('refusal' in looked) {
    const { at, attempts, failingSince } = retryAfter(now, deal, looked.refusal)
    await postponeDeal(database, deal, { attempts, failingSince, dueAt: at })
    return
  }
  const isOverdue = Temporal.Instant.compare(now, fundsOverdueAt(deal)) >= 0
  if (isOverdue && (await findDealById(database, deal))?.state === 'standing') {
    await tellPeople(context, deal, 'FundingMissing', { fundingDate: deal.fundingDate.toString() })
  }
  await postponeDeal(database, deal, { attempts: 0, failingSince: null, dueAt: nextLookForFunds(deal, now) })
}
