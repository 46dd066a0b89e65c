/** Measures what waits to be delivered: how much is ready, and since when. */
import type { Context } from '../../context.ts'
import { countReady } from './delivery-attempt-store.ts'

/** Counting reads everything that is ready, which a scraper may ask for too often. */
const COUNT_EVERY_SECONDS = 10

/** Makes the measure of a process; called before each scrape. */
export function deliveryMeasure({
  database,
  metrics,
  clock,
}: Pick<Context, 'database' | 'metrics' | 'clock'>): () => Promise<void> {
  let countedAt: Temporal.Instant | undefined
  return async () => {
    const real = clock.real()
    if (countedAt !== undefined && real.since(countedAt).total('seconds') < COUNT_EVERY_SECONDS) {
      return
    }
    countedAt = real
    const { ready, since } = await countReady(database)
    metrics.webhooksReady.set(ready)
    metrics.webhookOldestReady.set(since === null ? 0 : Math.max(0, clock.now().since(since).total('seconds')))
  }
}
