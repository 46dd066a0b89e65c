/** Measures the delivery backlog: how many deliveries are ready, and since when. */
import type { Context } from '../../context.ts'
import { countReadyDeliveries } from '../store/delivery-attempt-store.ts'

/** Counting reads all ready deliveries, which a scraper may request too often. */
const COUNT_EVERY_SECONDS = 10

/** Creates the update function of the gauges; called before each scrape. */
export function openDeliveryMetrics({ database, metrics, clock }: Context): () => Promise<void> {
  let countedAt: Temporal.Instant | undefined
  return async () => {
    const real = clock.real()
    if (countedAt !== undefined && real.since(countedAt).total('seconds') < COUNT_EVERY_SECONDS) {
      return
    }
    countedAt = real
    const { ready, since } = await countReadyDeliveries(database)
    metrics.webhookDeliveriesReady.set(ready)
    metrics.webhookOldestReadyDelivery.set(since === null ? 0 : Math.max(0, clock.now().since(since).total('seconds')))
  }
}
