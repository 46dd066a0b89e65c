/** Tells a partner of a change, in the transaction that makes it true: the event, and a delivery for each subscription. */

import type { Clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { queueEvents } from './deliveries/delivery-store.ts'
import { appendEvent } from './events/append-event.ts'
import type { StatusChange } from './events/event.ts'

/**
 * To be called last in the transaction. The event comes first: until the transaction ends it keeps subscriptions from
 * changing, so that exactly those that select the event when it happens get a delivery.
 */
export async function announce(
  { clock }: { readonly clock: Clock },
  transaction: Queryable,
  change: StatusChange,
): Promise<void> {
  const { partnerId, id, type, paymentId, body } = await appendEvent(transaction, change)
  const event = { stamp: id, eventId: id, eventType: type, subjectId: paymentId, body }
  await queueEvents(transaction, { partnerId }, [event], clock.now())
}
