/** Appends an event and enqueues its deliveries in the transaction of the change that it reports. */

import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { enqueueDeliveries } from '../deliveries/delivery-store.ts'
import { appendEvent } from './append-event.ts'
import type { StatusChange } from './event.ts'

/**
 * Must be called last in the transaction. The event comes first: until the transaction ends it locks out changes of
 * subscriptions, so that exactly those that select the event when it happens get a delivery.
 */
export async function enqueueEvent(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Logger, 'debug'> },
  transaction: Queryable,
  change: StatusChange,
): Promise<void> {
  const { partnerId, id, stamp, type, subjectId, body } = await appendEvent(transaction, change)
  const event = { stamp, eventId: id, eventType: type, subjectId, body }
  await enqueueDeliveries(transaction, { partnerId }, [event], clock.now())
  // Every delivery names the event, and every call to a bank the payment: this line connects the two.
  log.debug({ eventId: id, eventType: type, paymentIds: [subjectId] }, 'an event was enqueued')
}
