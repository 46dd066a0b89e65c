/** Polls a payout until it is completed, and for some weeks after that, because it may still be returned. */
import type { Context } from '../../context.ts'
import type { Deal } from '../deals/deal.ts'
import { postponeDeal } from '../deals/deal-transition-store.ts'
import { raiseDealTask, settleDealTask } from '../deals/raise-deal-task.ts'
import { transitionDeal } from '../deals/transition-deal.ts'
import type { FxProviderError } from '../providers/fx-provider-error.ts'
import type { ProviderPayout } from '../providers/payout.ts'
import { providerOf, scheduleRetry, tryProviderCall } from '../providers/provider-retry.ts'
import { isPayoutOverdue, nextCompletedPayoutPollAt, nextPayoutPollAt } from './payout-poll-schedule.ts'
import { recordReturnedPayout } from './record-returned-payout.ts'

/** Records the provider's status, and reschedules the deal. */
export async function pollPayout(context: Context, deal: Deal): Promise<void> {
  const { payoutId } = deal
  if (payoutId === null) {
    throw new Error(`Deal ${deal.id} is ${deal.state}, but has no payout`)
  }
  const read = await tryProviderCall(() => providerOf(context, deal).readPayout(payoutId))
  if ('error' in read) {
    await postponeAfterFailure(context, deal, read.error)
  } else {
    await record(context, deal, read.done)
  }
}

async function record(context: Context, deal: Deal, payment: ProviderPayout): Promise<void> {
  switch (payment.state) {
    case 'completed':
      await (deal.state === 'paying' ? recordPaid(context, deal) : postponePoll(context, deal))
      break
    case 'failed':
    case 'deleted':
      await recordReturnedPayout(context, deal, returnedPayoutOf(deal, payment))
      break
    case 'held':
      await raiseDealTask(context, deal, 'PayoutHeld', { providerStatus: payment.providerStatus })
      await postponePoll(context, deal)
      break
    default:
      // In flight, or an unknown status: only the time limit matters.
      if (deal.state === 'paying' && isPayoutOverdue(deal.changedAt, context.clock.now())) {
        await raiseDealTask(context, deal, 'PayoutHeld', { providerStatus: payment.providerStatus })
      }
      await postponePoll(context, deal)
  }
}

async function recordPaid(context: Context, deal: Deal): Promise<void> {
  const now = context.clock.now()
  const detail = { payout: deal.payoutId }
  await transitionDeal(context, deal, { state: 'paid', dueAt: nextCompletedPayoutPollAt(now, now), detail })
  await settleDealTask(context, deal, 'PayoutHeld', 'the receiver was paid')
}

/** A payout that never left is returned in full; otherwise the provider reports the returned amount. */
function returnedPayoutOf({ quote }: Deal, { returned, failureReason, providerStatus }: ProviderPayout) {
  const reason = failureReason ?? `The provider reports the payout as ${providerStatus}`
  return { returned: returned ?? quote.buy, reason }
}

async function postponePoll(context: Context, deal: Deal): Promise<void> {
  const now = context.clock.now()
  const next = deal.state === 'paid' ? nextCompletedPayoutPollAt : nextPayoutPollAt
  await postponeDeal(context.database, deal, { attempts: 0, failingSince: null, dueAt: next(deal.changedAt, now) })
}

async function postponeAfterFailure(context: Context, deal: Deal, error: FxProviderError): Promise<void> {
  const { at, isStuck, ...retryState } = scheduleRetry(context.clock.now(), deal, error)
  if (isStuck) {
    await raiseDealTask(context, deal, 'PayoutHeld', { errorKind: error.kind, attempts: retryState.attempts })
  }
  await postponeDeal(context.database, deal, { ...retryState, dueAt: at })
}
