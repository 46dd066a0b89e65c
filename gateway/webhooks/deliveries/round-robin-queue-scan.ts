/** Scans the queues with ready deliveries round-robin, so that each is reached however many there are. */
import type { Database } from '../../platform/database/database.ts'
import { type DeliveryQueue, partnersWithReadyDeliveries, queuesWithReadyDeliveries } from './delivery-queue-store.ts'

/** A scan of the queues, one batch after the other. */
export type QueueScan = {
  /** Queues with deliveries ready for a worker; empty when there are none at all. */
  nextBatch(): Promise<readonly DeliveryQueue[]>
}

/** Queues per batch: more than there is capacity for, yet each costs an index step many times a second. */
const QUEUES_PER_SCAN_MAX = 256

/** Sorts before every partner id. */
const BEFORE_FIRST_PARTNER = '00000000-0000-0000-0000-000000000000'
/** Sorts before every origin. */
const BEFORE_FIRST_ORIGIN = ''

/**
 * A batch continues behind the last partner of the previous batch, and for each partner behind the last of its origins;
 * at the end, the next batch starts over. Partners come first, so that one with many queues counts as one.
 */
export function openRoundRobinQueueScan(database: Database<unknown>, queuesMax = QUEUES_PER_SCAN_MAX): QueueScan {
  let lastPartner = BEFORE_FIRST_PARTNER
  const lastOriginByPartner = new Map<string, string>()
  const scanNext = async (): Promise<readonly DeliveryQueue[]> => {
    const partners = await partnersWithReadyDeliveries(database, lastPartner, queuesMax)
    lastPartner = (partners.length === queuesMax ? partners.at(-1) : undefined) ?? BEFORE_FIRST_PARTNER
    if (partners.length === 0) {
      return []
    }
    const eachMax = Math.max(1, Math.floor(queuesMax / partners.length))
    const behind = partners.map((partnerId) => ({
      partnerId,
      origin: lastOriginByPartner.get(partnerId) ?? BEFORE_FIRST_ORIGIN,
    }))
    const queues = await queuesWithReadyDeliveries(database, behind, eachMax)
    const byPartner = Map.groupBy(queues, ({ partnerId }) => partnerId)
    for (const partnerId of partners) {
      const [found, last] = [byPartner.get(partnerId)?.length ?? 0, byPartner.get(partnerId)?.at(-1)]
      if (found === eachMax && last !== undefined) {
        lastOriginByPartner.set(partnerId, last.origin)
      } else {
        lastOriginByPartner.delete(partnerId)
      }
    }
    return queues
  }
  return {
    nextBatch: async () => {
      const isUnderWay = lastPartner !== BEFORE_FIRST_PARTNER || lastOriginByPartner.size > 0
      const queues = await scanNext()
      if (queues.length > 0 || !isUnderWay) {
        return queues
      }
      lastPartner = BEFORE_FIRST_PARTNER
      lastOriginByPartner.clear()
      return await scanNext()
    },
  }
}
