/** Enqueues the events of one payment again, for the current subscriptions and their current endpoints. */
import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/write-audit-entry.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { outboxEventOf, requeueEvents } from '../store/delivery-store.ts'
import { listEventsOfSubject } from '../store/event-store.ts'

/** A payment has a handful. */
const EVENTS_MAX = 200

/** Repeats none that still waits to be delivered: doing it twice sends once. Returns how many events and deliveries. */
export async function replayEventsOfPayment(
  context: Context,
  actor: string,
  { partnerId, id: paymentId }: { readonly partnerId: string; readonly id: string },
): Promise<{ readonly events: number; readonly deliveries: number }> {
  const found = await listEventsOfSubject(context.database, { partnerId, subjectId: paymentId }, EVENTS_MAX)
  const events = found.map((event) => ({ ...outboxEventOf(event, newId()), firstStamp: event.stamp }))
  return await inTransaction(context, async (context) => {
    const deliveries = await requeueEvents(context.database, { partnerId }, events, context.clock.now())
    const detail = { events: events.length, deliveries }
    const subject = ['payment', paymentId] as const
    await writeAuditEntry(context, { partnerId, actor, action: 'webhook events replayed', subject, detail })
    return detail
  })
}
