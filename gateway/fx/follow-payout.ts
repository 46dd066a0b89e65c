/** Reads a payout at its provider until the receiver has it, and for some weeks after that, as it may still come back. */
import type { Deal } from './deals/deal.ts'
import { postponeDeal } from './deals/deal-transition-store.ts'
import { settleDealTask, tellPeople } from './deals/raise-deal-task.ts'
import { moveDeal } from './deals/transition-deal.ts'
import type { FxContext } from './fx-context.ts'
import { isOverdue, nextLookAtCompleted, nextLookAtPayout } from './payout-schedule.ts'
import { keepCameBack } from './payouts/record-returned-payout.ts'
import { attempt, providerOf, retryAfter } from './provider-of.ts'
import type { FxRefusal } from './providers/fx-provider-error.ts'
import type { ProviderPayment } from './providers/payout.ts'

/** Records what the provider says, and sets the next time. */
export async function followPayout(context: FxContext, deal: Deal): Promise<void> {
  const { payoutId } = deal
  if (payoutId === null) {
    throw new Error(`Deal ${deal.id} is ${deal.state}, and has no payout`)
  }
  const read = await attempt(() => providerOf(context, deal).readPayout(payoutId))
  if ('refusal' in read) {
    await tryLater(context, deal, read.refusal)
  } else {
    await record(context, deal, read.done)
  }
}

async function record(context: FxContext, deal: Deal, payment: ProviderPayment): Promise<void> {
  switch (payment.state) {
    case 'completed':
      await (deal.state === 'paying' ? keepPaid(context, deal) : lookLater(context, deal))
      break
    case 'failed':
    case 'deleted':
      await keepCameBack(context, deal, cameBack(deal, payment))
      break
    case 'held':
      await tellPeople(context, deal, 'PayoutHeld', { providerStatus: payment.providerStatus })
      await lookLater(context, deal)
      break
    default:
      // On its way, or in a word that nobody knows: nothing follows from that but time.
      if (deal.state === 'paying' && isOverdue(deal.changedAt, context.clock.now())) {
        await tellPeople(context, deal, 'PayoutHeld', { providerStatus: payment.providerStatus })
      }
      await lookLater(context, deal)
  }
}

async function keepPaid(context: FxContext, deal: Deal): Promise<void> {
  const now = context.clock.now()
  const detail = { payout: deal.payoutId }
  await moveDeal(context, deal, { state: 'paid', dueAt: nextLookAtCompleted(now, now), detail })
  await settleDealTask(context, deal, 'PayoutHeld', 'the receiver was paid')
}

/** Of one that never left nothing came back, and all of it is there; of others, the provider says how much did. */
function cameBack({ quote }: Deal, { returned, failureReason, providerStatus }: ProviderPayment) {
  const reason = failureReason ?? `The provider's word for the payout is ${providerStatus}`
  return { returned: returned ?? quote.buy, reason }
}

async function lookLater(context: FxContext, deal: Deal): Promise<void> {
  const now = context.clock.now()
  const next = deal.state === 'paid' ? nextLookAtCompleted : nextLookAtPayout
  await postponeDeal(context.database, deal, { attempts: 0, failingSince: null, dueAt: next(deal.changedAt, now) })
}

async function tryLater(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const { at, isStuck, ...trouble } = retryAfter(context.clock.now(), deal, refusal)
  if (isStuck) {
    await tellPeople(context, deal, 'PayoutHeld', { refusal: refusal.kind, attempts: trouble.attempts })
  }
  await postponeDeal(context.database, deal, { ...trouble, dueAt: at })
}
