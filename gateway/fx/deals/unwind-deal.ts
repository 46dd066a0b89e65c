/** Cancels the conversion of a cancelled deal at its provider, with retries; raises an operator task if that fails. */
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatMoney } from '../../platform/money.ts'
import { cancelledLines } from '../ledger/ledger-lines.ts'
import type { ConversionCancelled } from '../providers/conversion.ts'
import { providerOf, tryProviderCall } from '../providers/provider-retry.ts'
import type { Deal } from '../store/deal.ts'
import { transitionDeal } from './change-deal.ts'
import { retryDealLater, settleDealTask } from './raise-deal-task.ts'

/** Idempotent: a conversion that was cancelled before counts as cancelled now. */
export async function unwindDeal(context: Context, deal: Deal): Promise<void> {
  const { conversionId } = deal
  if (conversionId === null) {
    throw new Error(`Deal ${deal.id} is to be cancelled at its provider, but has no conversion`)
  }
  const cancelled = await tryProviderCall(() => providerOf(context, deal).cancelConversion(conversionId))
  if ('done' in cancelled) {
    await recordCancelled(context, deal, cancelled.done)
  } else {
    await retryDealLater(context, deal, cancelled.error, { task: 'DealNotUnwound', due: 'unwindAt' })
  }
}

async function recordCancelled(context: Context, deal: Deal, { loss }: ConversionCancelled): Promise<void> {
  await inTransaction(context, async (context) => {
    await transitionDeal(context, deal, {
      state: 'cancelled',
      posting: { event: 'cancelled', lines: cancelledLines(deal, loss) },
      detail: { reason: deal.reason, ...(loss === null ? {} : { loss: formatMoney(loss) }) },
    })
    await settleDealTask(context, deal, 'DealNotUnwound', 'the provider has cancelled the conversion')
  })
}
