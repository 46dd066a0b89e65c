/** Polls the provider for the funds of a confirmed deal, and raises an operator task when they are overdue. */
import type { Context } from '../../context.ts'
import type { Deal } from '../deals/deal.ts'
import { findDealById } from '../deals/deal-store.ts'
import { postponeDeal } from '../deals/deal-transition-store.ts'
import { raiseDealTask } from '../deals/raise-deal-task.ts'
import { providerOf, scheduleRetry, tryProviderCall } from '../providers/provider-retry.ts'
import { fundsOverdueAt, nextFundingPollAt } from './funding-poll-schedule.ts'
import { pollInboundFundsUnlessRecent } from './poll-inbound-funds.ts'

/** Funds that a poll finds change the deal at once; this only reschedules a deal that still waits. */
export async function pollFunding(context: Context, deal: Deal): Promise<void> {
  const { clock, database } = context
  const polled = await tryProviderCall(() => pollInboundFundsUnlessRecent(context, providerOf(context, deal)))
  const now = clock.now()
  if ('error' in polled) {
    const { at, attempts, failingSince } = scheduleRetry(now, deal, polled.error)
    await postponeDeal(database, deal, { attempts, failingSince, dueAt: at })
    return
  }
  const isOverdue = Temporal.Instant.compare(now, fundsOverdueAt(deal)) >= 0
  if (isOverdue && (await findDealById(database, deal))?.state === 'confirmed') {
    await raiseDealTask(context, deal, 'FundingMissing', { fundingDate: deal.fundingDate.toString() })
  }
  await postponeDeal(database, deal, { attempts: 0, failingSince: null, dueAt: nextFundingPollAt(deal, now) })
}
