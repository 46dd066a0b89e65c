/** Orders the payout of a funded deal, once: the receiver is made known, then the bought money is sent. */

import { openTerms } from './deal-terms.ts'
import type { Deal } from './deals/deal.ts'
import { findDealById } from './deals/deal-store.ts'
import { postponeDeal, writePayoutAnswered, writePayoutAsked } from './deals/deal-transition-store.ts'
import { settleDealTask, tellPeople } from './deals/raise-deal-task.ts'
import { moveDeal } from './deals/transition-deal.ts'
import type { FxContext } from './fx-context.ts'
import { nextLookAtPayout } from './payout-schedule.ts'
import { keepCameBack } from './payouts/record-returned-payout.ts'
import { attempt, providerOf, retryAfter } from './provider-of.ts'
import { type FxRefusal, isPassing, leavesInDoubt } from './providers/fx-provider-error.ts'
import type { ProviderPayment } from './providers/payout.ts'

/** A request that was still on its way has arrived by then, or never will. */
const LATE_ARRIVAL = { minutes: 3 }

/** A no that will not pass ends the deal, unless the provider has taken an earlier request all the same, or may do so. */
export async function payOut(context: FxContext, deal: Deal): Promise<void> {
  const doubtUntil = context.clock.now().add(LATE_ARRIVAL)
  const ordered = await attempt(() => order(context, deal, doubtUntil))
  if ('done' in ordered) {
    await (ordered.done && keepPaying(context, deal, ordered.done))
    return
  }
  const { refusal } = ordered
  if (leavesInDoubt(refusal)) {
    await tryLater(context, deal, refusal)
    return
  }
  const inDoubtUntil = await writePayoutAnswered(context.database, deal, doubtUntil)
  if (isPassing[refusal.kind]) {
    await tryLater(context, deal, refusal)
  } else {
    await endUnlessTaken(context, { ...deal, doubtUntil: inDoubtUntil }, refusal)
  }
}

/** Each step is safe to repeat under the deal's id. Null when somebody else has moved the deal on. */
async function order(context: FxContext, deal: Deal, doubtUntil: Temporal.Instant): Promise<ProviderPayment | null> {
  const provider = providerOf(context, deal)
  const { beneficiary, ...terms } = await openTerms(context, deal)
  const beneficiaryId = deal.beneficiaryId ?? (await provider.createBeneficiary(beneficiary, deal.id)).id
  if (!(await writePayoutAsked(context.database, deal, { beneficiaryId, doubtUntil }))) {
    return null
  }
  const { id: requestId, conversionId } = deal
  return await provider.payOut({ ...terms, requestId, beneficiaryId, conversionId, amount: deal.quote.buy })
}

async function keepPaying(context: FxContext, deal: Deal, payment: ProviderPayment): Promise<void> {
  const now = context.clock.now()
  const detail = { payout: payment.id }
  const move = { state: 'paying', payoutId: payment.id, dueAt: nextLookAtPayout(now, now), detail } as const
  const moved = await moveDeal(context, deal, move)
  if (moved !== undefined) {
    await settleDealTask(context, deal, 'PayoutHeld', 'the payout was ordered')
    return
  }
  const kept = await findDealById(context.database, deal)
  if (kept !== undefined && kept.payoutId !== payment.id) {
    await tellPeople(context, kept, 'PayoutUnexpected', { payout: payment.id })
  }
}

async function endUnlessTaken(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const found = await attempt(() => providerOf(context, deal).findPayout(deal.id))
  if ('refusal' in found) {
    await tryLater(context, deal, found.refusal)
  } else if (found.done !== null) {
    await keepPaying(context, deal, found.done)
  } else if (isInDoubt(deal, context.clock.now())) {
    const { attempts, failingSince, doubtUntil } = deal
    await postponeDeal(context.database, deal, { attempts, failingSince, dueAt: doubtUntil })
  } else {
    await keepCameBack(context, deal, { returned: deal.quote.buy, reason: refusal.message })
  }
}

/** A no to this request says nothing of one before it, which may arrive after it. */
function isInDoubt({ doubtUntil }: Deal, now: Temporal.Instant): boolean {
  return doubtUntil !== null && Temporal.Instant.compare(now, doubtUntil) < 0
}

async function tryLater(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const { at, isStuck, ...trouble } = retryAfter(context.clock.now(), deal, refusal)
  if (isStuck) {
    await tellPeople(context, deal, 'PayoutHeld', { refusal: refusal.kind, attempts: trouble.attempts })
  }
  await postponeDeal(context.database, deal, { ...trouble, dueAt: at })
}
