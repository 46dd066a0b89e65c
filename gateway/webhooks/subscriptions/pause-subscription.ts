/** Pauses a subscription between two events, and resumes it with those that have occurred since. */
import type { WebhookSubscription } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueDeliveries } from '../deliveries/delivery-store.ts'
import { listEvents } from '../events/event-store.ts'
import { lockEventStream } from '../events/lock-event-stream.ts'
import { renderSubscription } from './get-webhook-subscription.ts'
import { requireEnabledSubscription, requireSubscription } from './require-subscription.ts'
import type { Subscription, SubscriptionKey } from './subscription.ts'
import { updateSubscription } from './subscription-store.ts'

/** Enqueued in one transaction, during which no event of the partner is recorded. */
const EVENTS_PER_BATCH = 200

/** Events from the next one on wait. Deliveries that are queued still go out. Throws 404 for a disabled subscription. */
export async function pauseSubscription(context: Context, key: SubscriptionKey): Promise<WebhookSubscription> {
  const subscription = await withEventStream(context, key, async (transaction, { pausedAfter }, last) => {
    if (pausedAfter === null) {
      await updateSubscription(transaction, key, { pausedAfter: last }, context.clock.now())
    }
  })
  return renderSubscription(subscription)
}

/**
 * Enqueues the events of the meantime in batches, so that new ones wait for one batch at most; an interruption loses
 * none, and repeating it goes on. Throws 404 for a disabled subscription.
 */
export async function resumeSubscription(context: Context, key: SubscriptionKey): Promise<WebhookSubscription> {
  for (;;) {
    const subscription = await withEventStream(context, key, async (transaction, { pausedAfter }) => {
      if (pausedAfter !== null) {
        await enqueueNext(context, transaction, key, pausedAfter)
      }
    })
    if (subscription.pausedAfter === null) {
      return renderSubscription(subscription)
    }
  }
}

async function enqueueNext(
  { clock }: Context,
  transaction: Queryable,
  key: SubscriptionKey,
  after: bigint,
): Promise<void> {
  const { partnerId, id: subscriptionId } = key
  const range = { after, limit: EVENTS_PER_BATCH }
  const { events } = await listEvents(transaction, partnerId, range)
  const outbox = events.map(({ id: eventId, type: eventType, subjectId, body }) => {
    return { stamp: newId(), eventId, eventType, subjectId, body }
  })
  await enqueueDeliveries(transaction, { partnerId, subscriptionId, paused: true }, outbox, clock.now())
  const last = events.length < EVENTS_PER_BATCH ? null : (events.at(-1)?.position ?? null)
  await updateSubscription(transaction, key, { pausedAfter: last }, clock.now())
}

/** Runs between two events, and returns the subscription as it is afterwards. `last` is the position of the last event. */
async function withEventStream(
  context: Context,
  key: SubscriptionKey,
  run: (transaction: Queryable, subscription: Subscription, last: bigint) => Promise<void>,
): Promise<Subscription> {
  // No event stream is locked for an unknown id.
  await requireSubscription(context.database, key)
  return await inTransaction(context, async (context) => {
    const last = await lockEventStream(context.database, key.partnerId)
    await run(context.database, await requireEnabledSubscription(context.database, key), last)
    return await requireSubscription(context.database, key)
  })
}
