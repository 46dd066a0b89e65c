/** Lists the queues of deliveries that are ready to be attempted, for operators. */
import type { Context } from '../../context.ts'
import { type DeliveryQueueState, deliveryQueuesQuery } from '../store/delivery-queue-store.ts'

export { COUNTED_DELIVERIES_MAX, type DeliveryQueueState } from '../store/delivery-queue-store.ts'

/** More are not shown at once. */
const QUEUES_MAX = 100

/** One for each partner and origin; the one that waits longest first. */
export async function listDeliveryQueues({ database }: Context): Promise<readonly DeliveryQueueState[]> {
  return (await deliveryQueuesQuery(QUEUES_MAX).execute(database.query)).rows
}
