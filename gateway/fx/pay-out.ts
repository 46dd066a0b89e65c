/** Orders the payout of a funded deal, once: the receiver is made known, then the bought money is sent. */
import type { Deal } from './deal.ts'
import { postponeDeal, writeBeneficiary } from './deal-move-store.ts'
import { openTerms } from './deal-terms.ts'
import type { FxContext } from './fx-context.ts'
import { keepCameBack } from './keep-came-back.ts'
import { moveDeal } from './move-deal.ts'
import { nextLookAtPayout } from './payout-schedule.ts'
import { type FxRefusal, isPassing } from './provider/fx-refusal.ts'
import type { ProviderPayment } from './provider/payout.ts'
import { attempt, providerOf, retryAfter } from './provider-of.ts'
import { settleDealTask, tellPeople } from './tell-people.ts'

/** A no that will not pass ends the deal, unless the provider has taken an earlier request all the same. */
export async function payOut(context: FxContext, deal: Deal): Promise<void> {
  const ordered = await attempt(() => order(context, deal))
  if ('done' in ordered) {
    await keepPaying(context, deal, ordered.done)
  } else if (isPassing[ordered.refusal.kind]) {
    await tryLater(context, deal, ordered.refusal)
  } else {
    await endUnlessTaken(context, deal, ordered.refusal)
  }
}

/** Each step is safe to repeat under the deal's id. */
async function order(context: FxContext, deal: Deal): Promise<ProviderPayment> {
  const provider = providerOf(context, deal)
  const { beneficiary, ...terms } = await openTerms(context, deal)
  const beneficiaryId = deal.beneficiaryId ?? (await provider.createBeneficiary(beneficiary, deal.id)).id
  if (deal.beneficiaryId === null) {
    await writeBeneficiary(context.database, deal, beneficiaryId)
  }
  const { id: requestId, conversionId } = deal
  return await provider.payOut({ ...terms, requestId, beneficiaryId, conversionId, amount: deal.quote.buy })
}

async function keepPaying(context: FxContext, deal: Deal, payment: ProviderPayment): Promise<void> {
  const now = context.clock.now()
  const detail = { payout: payment.id }
  await moveDeal(context, deal, { state: 'paying', payoutId: payment.id, dueAt: nextLookAtPayout(now, now), detail })
  await settleDealTask(context, deal, 'PayoutHeld', 'the payout was ordered')
}

async function endUnlessTaken(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const found = await attempt(() => providerOf(context, deal).findPayout(deal.id))
  if ('refusal' in found) {
    await tryLater(context, deal, found.refusal)
  } else if (found.done === null) {
    await keepCameBack(context, deal, { returned: deal.quote.buy, reason: refusal.message })
  } else {
    await keepPaying(context, deal, found.done)
  }
}

async function tryLater(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const { at, isStuck, ...trouble } = retryAfter(context.clock.now(), deal, refusal)
  if (isStuck) {
    await tellPeople(context, deal, 'PayoutHeld', { refusal: refusal.kind, attempts: trouble.attempts })
  }
  await postponeDeal(context.database, deal, { ...trouble, dueAt: at })
}
