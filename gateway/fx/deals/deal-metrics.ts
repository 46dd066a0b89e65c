/** Measures how deals of exchange do: how many are open in which state, what waits to be undone, and what money is held. */
import type { Context } from '../../context.ts'
import { countOpenReceipts } from '../funding/inbound-funds-store.ts'
import { countOpenDeals } from './deal-store.ts'

/** Counts by indexes of what is open; called before each scrape. */
export async function measureDeals({
  database,
  metrics,
  clock,
}: Pick<Context, 'database' | 'metrics' | 'clock'>): Promise<void> {
  const [states, receipts] = await Promise.all([countOpenDeals(database), countOpenReceipts(database)])
  metrics.openDeals.reset()
  for (const { state, count } of states) {
    metrics.openDeals.set({ state }, Number(count))
  }
  const breaking = states.find(({ state }) => state === 'breaking')
  metrics.undoingDeals.set(
    breaking === undefined ? 0 : Math.max(0, clock.now().since(breaking.oldest).total('seconds')),
  )
  metrics.heldReceipts.set(receipts)
}
