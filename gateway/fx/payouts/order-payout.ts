/** Orders the payout of a funded deal once: creates the beneficiary, then the payment of the bought amount. */
import type { Context } from '../../context.ts'
import type { Deal } from '../deals/deal.ts'
import { findDealById } from '../deals/deal-store.ts'
import { postponeDeal, writePayoutAnswer, writePayoutSubmission } from '../deals/deal-transition-store.ts'
import { openPayoutTerms } from '../deals/payout-terms-encryption.ts'
import { raiseDealTask, settleDealTask } from '../deals/raise-deal-task.ts'
import { transitionDeal } from '../deals/transition-deal.ts'
import { type FxProviderError, hasUnknownOutcome, isTransient } from '../providers/fx-provider-error.ts'
import type { ProviderPayout } from '../providers/payout.ts'
import { providerOf, scheduleRetry, tryProviderCall } from '../providers/provider-retry.ts'
import { nextPayoutPollAt } from './payout-poll-schedule.ts'
import { recordReturnedPayout } from './record-returned-payout.ts'

/** A request that is still in flight reaches the provider within this time, or never. */
const LATE_ARRIVAL = { minutes: 3 }

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
    await postponeAfterFailure(context, deal, error)
    return
  }
  const stillUnknownUntil = await writePayoutAnswer(context.database, deal, outcomeUnknownUntil)
  if (isTransient[error.kind]) {
    await postponeAfterFailure(context, deal, error)
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
  const { beneficiary, ...terms } = await openPayoutTerms(context, deal)
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
    await postponeAfterFailure(context, deal, found.error)
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

async function postponeAfterFailure(context: Context, deal: Deal, error: FxProviderError): Promise<void> {
  const { at, isStuck, ...retryState } = scheduleRetry(context.clock.now(), deal, error)
  if (isStuck) {
    await raiseDealTask(context, deal, 'PayoutHeld', { errorKind: error.kind, attempts: retryState.attempts })
  }
  await postponeDeal(context.database, deal, { ...retryState, dueAt: at })
}
