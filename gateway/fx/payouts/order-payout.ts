/** Orders the payout of a funded deal once: creates the beneficiary, then the payment of the bought amount. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatMoney, type Money } from '../../platform/money.ts'
import { transitionDeal } from '../deals/change-deal.ts'
import { raiseDealTask, retryDealLater, settleDealTask } from '../deals/raise-deal-task.ts'
import { type FxProviderError, hasUnknownOutcome, isTransient } from '../providers/fx-provider-error.ts'
import type { ProviderPayout } from '../providers/payout.ts'
import { LATE_ARRIVAL, providerOf, tryProviderCall } from '../providers/provider-retry.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById, getPayoutTerms } from '../store/deal-store.ts'
import { postponeDeal, writePayoutAnswer, writePayoutSubmission } from '../store/deal-transition-store.ts'

/** A permanent rejection ends the payout, unless the provider accepted an earlier request or may still do so. */
export async function orderPayout(context: Context, deal: Deal): Promise<void> {
  const outcomeUnknownUntil = context.clock.now().add(LATE_ARRIVAL)
  const ordered = await tryProviderCall(() => order(context, deal, outcomeUnknownUntil))
  if ('done' in ordered) {
    await (ordered.done && recordPayoutOrdered(context, deal, ordered.done))
    return
  }
  const { error } = ordered
  if (hasUnknownOutcome(error)) {
    await retryDealLater(context, deal, error, { task: 'PayoutHeld' })
    return
  }
  const stillUnknownUntil = await writePayoutAnswer(context.database, deal, outcomeUnknownUntil)
  if (isTransient[error.kind]) {
    await retryDealLater(context, deal, error, { task: 'PayoutHeld' })
  } else {
    await recordReturnedUnlessAccepted(context, { ...deal, outcomeUnknownUntil: stillUnknownUntil }, error)
  }
}

/** Each step is idempotent by the deal's id. Null when another process has changed the deal. */
async function order(
  context: Context,
  deal: Deal,
  outcomeUnknownUntil: Temporal.Instant,
): Promise<ProviderPayout | null> {
  const provider = providerOf(context, deal)
  const { beneficiary, ...terms } = await getPayoutTerms(context, deal)
  const beneficiaryId = deal.beneficiaryId ?? (await provider.createBeneficiary(beneficiary, deal.id)).id
  if (!(await writePayoutSubmission(context.database, deal, { beneficiaryId, outcomeUnknownUntil }))) {
    return null
  }
  const { id: requestId, conversionId } = deal
  return await provider.orderPayout({ ...terms, requestId, beneficiaryId, conversionId, amount: deal.quote.buy })
}

async function recordPayoutOrdered(context: Context, deal: Deal, payment: ProviderPayout): Promise<void> {
  const now = context.clock.now()
  const detail = { payout: payment.id }
  const move = { state: 'paying', payoutId: payment.id, dueAt: nextPayoutPollAt(now, now), detail } as const
  const moved = await transitionDeal(context, deal, move)
  if (moved !== undefined) {
    await settleDealTask(context, deal, 'PayoutHeld', 'the payout was ordered')
    return
  }
  const stored = await findDealById(context.database, deal)
  if (stored !== undefined && stored.payoutId !== payment.id) {
    await raiseDealTask(context, stored, 'PayoutUnexpected', { payout: payment.id })
  }
}

async function recordReturnedUnlessAccepted(context: Context, deal: Deal, error: FxProviderError): Promise<void> {
  const found = await tryProviderCall(() => providerOf(context, deal).findPayout(deal.id))
  if ('error' in found) {
    await retryDealLater(context, deal, found.error, { task: 'PayoutHeld' })
  } else if (found.done !== null) {
    await recordPayoutOrdered(context, deal, found.done)
  } else if (mayStillBeAccepted(deal, context.clock.now())) {
    const { attempts, failingSince, outcomeUnknownUntil } = deal
    await postponeDeal(context.database, deal, { attempts, failingSince, dueAt: outcomeUnknownUntil })
  } else {
    await recordReturnedPayout(context, deal, { returned: deal.quote.buy, reason: error.message })
  }
}

/** The rejection of this request proves nothing about an earlier one, which may arrive after it. */
function mayStillBeAccepted({ outcomeUnknownUntil }: Deal, now: Temporal.Instant): boolean {
  return outcomeUnknownUntil !== null && Temporal.Instant.compare(now, outcomeUnknownUntil) < 0
}

/** The provider notifies of most changes. */
const POLL_SECONDS = { least: 60, most: 6 * 3600 }
/** The interval grows: a third of the time since the order. */
const ELAPSED_DIVISOR = 3
const COMPLETED_POLL = { hours: 24 }
/** Thirty bank days, as for other cross-border payments, with holidays in between. */
const COMPLETED_FOR = { hours: 24 * 45 }

/** The next poll of a payout that was ordered, or changed, at `since`. */
export function nextPayoutPollAt(since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const seconds = Math.floor(now.since(since).total('seconds') / ELAPSED_DIVISOR)
  return now.add({ seconds: Math.min(Math.max(seconds, POLL_SECONDS.least), POLL_SECONDS.most) })
}

/** The next poll of a payout completed at `since`; null when it is final. */
export function nextCompletedPayoutPollAt(since: Temporal.Instant, now: Temporal.Instant): Temporal.Instant | null {
  const until = since.add(COMPLETED_FOR)
  return Temporal.Instant.compare(now, until) < 0 ? now.add(COMPLETED_POLL) : null
}

/** Payouts arrive within two bank days; after a week an operator must ask. */
const OVERDUE_AFTER = { hours: 24 * 7 }

/** Whether a payout ordered at `since` has taken too long. */
export function isPayoutOverdue(since: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since.add(OVERDUE_AFTER), now) <= 0
}

/** Records the provider's status, and reschedules the deal. */
export async function pollPayout(context: Context, deal: Deal): Promise<void> {
  const { payoutId } = deal
  if (payoutId === null) {
    throw new Error(`Deal ${deal.id} is ${deal.state}, but has no payout`)
  }
  const read = await tryProviderCall(() => providerOf(context, deal).readPayout(payoutId))
  if ('error' in read) {
    await retryDealLater(context, deal, read.error, { task: 'PayoutHeld' })
  } else {
    await record(context, deal, read.done)
  }
}

async function record(context: Context, deal: Deal, payment: ProviderPayout): Promise<void> {
  switch (payment.state) {
    case 'completed':
      await (deal.state === 'paying' ? recordPaid(context, deal) : postponePoll(context, deal))
      await settleDealTask(context, deal, 'PayoutHeld', 'the receiver was paid')
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

/** `returned` is in the bought currency: the payout amount less the charges of banks on the way. */
export async function recordReturnedPayout(
  context: Context,
  deal: Deal,
  { returned, reason }: { readonly returned: Money; readonly reason: string },
): Promise<void> {
  await inTransaction(context, async (context) => {
    const detail = { reason, amount: formatMoney(returned) }
    const move = { state: 'returned', reason, returnedMinor: returned.minor, detail } as const
    const moved = await transitionDeal(context, deal, move)
    if (moved !== undefined) {
      await settleDealTask(context, moved, 'PayoutHeld', 'the payout came back')
      await raiseDealTask(context, moved, 'PayoutReturned', { returned: formatMoney(returned) })
    }
  })
}
