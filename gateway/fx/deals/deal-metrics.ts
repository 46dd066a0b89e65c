/** Updates the FX metrics: open deals by state, age of the oldest pending cancellation, unallocated inbound funds. */
import type { Context } from '../../context.ts'
import { countOpenInboundFunds } from '../funding/inbound-funds-store.ts'
import { countOpenDeals } from './deal-store.ts'

/** Called before each scrape; the counts use partial indexes of open rows. */
export async function updateDealMetrics({ database, metrics, clock }: Context): Promise<void> {
  const [states, receipts] = await Promise.all([countOpenDeals(database), countOpenInboundFunds(database)])
  metrics.openDeals.reset()
  for (const { state, count } of states) {
    metrics.openDeals.set({ state }, Number(count))
  }
  const cancelling = states.find(({ state }) => state === 'cancelling')
  metrics.unwindingDeals.set(
    cancelling === undefined ? 0 : Math.max(0, clock.now().since(cancelling.oldest).total('seconds')),
  )
  metrics.unallocatedReceipts.set(receipts)
}
