/** Undoes a broken deal at its provider, as often as it takes, and tells people when it takes long. */
import { atomically } from '../platform/database/in-transaction.ts'
import { printMoney } from '../platform/money.ts'
import type { Deal } from './deals/deal.ts'
import { postponeDeal } from './deals/deal-transition-store.ts'
import { settleDealTask, tellPeople } from './deals/raise-deal-task.ts'
import { moveDeal } from './deals/transition-deal.ts'
import type { FxContext } from './fx-context.ts'
import { brokenLines } from './ledger/ledger-lines.ts'
import { attempt, providerOf, retryAfter } from './provider-of.ts'
import type { ConversionCancelled } from './providers/conversion.ts'
import type { FxRefusal } from './providers/fx-provider-error.ts'

/** A conversion that was cancelled before counts as cancelled now: asking again does no harm. */
export async function undoDeal(context: FxContext, deal: Deal): Promise<void> {
  const { conversionId } = deal
  if (conversionId === null) {
    throw new Error(`Deal ${deal.id} is to be undone, and has no conversion`)
  }
  const cancelled = await attempt(() => providerOf(context, deal).cancelConversion(conversionId))
  if ('done' in cancelled) {
    await keepBroken(context, deal, cancelled.done)
  } else {
    await tryLater(context, deal, cancelled.refusal)
  }
}

async function keepBroken(context: FxContext, deal: Deal, { loss }: ConversionCancelled): Promise<void> {
  const { clock } = context
  await atomically(context.database, async (database) => {
    await moveDeal({ database, clock }, deal, {
      state: 'broken',
      posting: { event: 'broken', lines: brokenLines(deal, loss) },
      detail: { reason: deal.reason, ...(loss === null ? {} : { loss: printMoney(loss) }) },
    })
    await settleDealTask({ database, clock }, deal, 'DealNotUnwound', 'the provider has cancelled the conversion')
  })
}

async function tryLater(context: FxContext, deal: Deal, refusal: FxRefusal): Promise<void> {
  const { at, isStuck, ...trouble } = retryAfter(context.clock.now(), deal, refusal)
  if (isStuck) {
    await tellPeople(context, deal, 'DealNotUnwound', { refusal: refusal.kind, attempts: trouble.attempts })
  }
  await postponeDeal(context.database, deal, { ...trouble, breakAt: at })
}
