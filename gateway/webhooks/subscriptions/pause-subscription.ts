/** Pauses a subscription between two events, and resumes it with those that have occurred since. */
import type { WebhookSubscription } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueDeliveries, outboxEventOf } from '../store/delivery-store.ts'
import { listEvents } from '../store/event-store.ts'
import { lockEventStream } from '../store/lock-event-stream.ts'
import { requireEnabledSubscription, requireSubscription } from '../store/require-subscription.ts'
import type { Subscription, SubscriptionKey } from '../store/subscription.ts'
import { updateSubscription } from '../store/subscription-store.ts'
import { renderSubscription } from './get-webhook-subscription.ts'

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
  const outbox = events.map((event) => outboxEventOf(event, newId()))
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
