/** Changes a subscription between two events: earlier events use the old version, later ones the new one. */
import type {
  UpdatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionRequest,
  WebhookSubscriptionWithSecret,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { lowestIdAt, newId, newToken } from '../../platform/ids.ts'
import { enqueueDeliveries, outboxEventOf } from '../store/delivery-store.ts'
import { listEvents } from '../store/event-store.ts'
import { lockEventStream } from '../store/lock-event-stream.ts'
import type { Endpoint, Subscription, SubscriptionKey } from '../store/subscription.ts'
import {
  findEndpoint,
  insertEndpoint,
  recordEndpointReplacement,
  requireEnabled,
  requireSubscription,
  updateStoredSubscription,
} from '../store/subscription-store.ts'
import { renderSubscription } from './get-webhook-subscription.ts'
import {
  requireValidBearerToken,
  validateSubscriptionRequest,
  warnDuplicateTarget,
} from './validate-subscription-request.ts'

/** Secrets stay, and a disabled subscription stays disabled. */
export async function updateSubscription(
  context: Context,
  key: SubscriptionKey,
  request: WebhookSubscriptionRequest,
): Promise<UpdatedWebhookSubscription> {
  const { targetUrl, eventTypes } = validateSubscriptionRequest(context.config, request)
  const subscription = await changeEndpoint(context, key, { targetUrl }, { eventTypes })
  const duplicate = subscription.enabled ? await warnDuplicateTarget(context.database, subscription) : {}
  return { ...renderSubscription(subscription), ...duplicate }
}

/** Permanent. Deliveries that are queued still go out. */
export async function disableSubscription(context: Context, key: SubscriptionKey): Promise<WebhookSubscription> {
  const subscription = await betweenEvents(context, key, async ({ database, clock }, { enabled }) => {
    if (enabled) {
      await updateStoredSubscription(database, key, { enabled: false }, clock.now())
    }
  })
  return renderSubscription(subscription)
}

/** The new secret is only returned here. */
export async function rotateSigningSecret(
  context: Context,
  key: SubscriptionKey,
): Promise<WebhookSubscriptionWithSecret> {
  const signingSecret = newToken()
  return { ...renderSubscription(await changeEndpoint(context, key, { signingSecret })), signingSecret }
}

export async function rotateBearerToken(
  context: Context,
  key: SubscriptionKey,
  bearerToken: string,
): Promise<WebhookSubscription> {
  requireValidBearerToken(bearerToken)
  return renderSubscription(await changeEndpoint(context, key, { bearerToken }))
}

/** Events from the next one on wait. Deliveries that are queued still go out. Throws 404 for a disabled subscription. */
export async function pauseSubscription(context: Context, key: SubscriptionKey): Promise<WebhookSubscription> {
  const subscription = await betweenEvents(context, key, async ({ database, clock }, current, last) => {
    if (requireEnabled(current).pausedAfter === null) {
      await updateStoredSubscription(database, key, { pausedAfter: last }, clock.now())
    }
  })
  return renderSubscription(subscription)
}

/** Enqueued in one transaction, during which no event of the partner is recorded. */
const EVENTS_PER_BATCH = 200

/**
 * Enqueues the events of the meantime in batches, so that new ones wait for one batch at most; an interruption loses
 * none, and repeating it goes on. Throws 404 for a disabled subscription.
 */
export async function resumeSubscription(context: Context, key: SubscriptionKey): Promise<WebhookSubscription> {
  for (;;) {
    const subscription = await betweenEvents(context, key, async (context, current) => {
      const { pausedAfter } = requireEnabled(current)
      if (pausedAfter !== null) {
        await enqueueNext(context, key, pausedAfter)
      }
    })
    if (subscription.pausedAfter === null) {
      return renderSubscription(subscription)
    }
  }
}

async function enqueueNext({ database, clock }: Context, key: SubscriptionKey, after: bigint): Promise<void> {
  const { partnerId, id: subscriptionId } = key
  const { events } = await listEvents(database, partnerId, { after, limit: EVENTS_PER_BATCH })
  const outbox = events.map((event) => outboxEventOf(event, newId()))
  await enqueueDeliveries(database, { partnerId, subscriptionId, paused: true }, outbox, clock.now())
  const last = events.length < EVENTS_PER_BATCH ? null : (events.at(-1)?.position ?? null)
  await updateStoredSubscription(database, key, { pausedAfter: last }, clock.now())
}

/** Runs the change between two events; returns the subscription as it is afterwards. `last` is the position of the last event. */
async function betweenEvents(
  context: Context,
  key: SubscriptionKey,
  change: (context: Context, subscription: Subscription, last: bigint) => Promise<void>,
): Promise<Subscription> {
  // No event stream is locked for an unknown id.
  await requireSubscription(context.database, key)
  return await inTransaction(context, async (context) => {
    const last = await lockEventStream(context.database, key.partnerId)
    await change(context, await requireSubscription(context.database, key), last)
    return await requireSubscription(context.database, key)
  })
}

async function changeEndpoint(
  context: Context,
  key: SubscriptionKey,
  endpoint: Partial<Endpoint>,
  also: Partial<Pick<Subscription, 'eventTypes'>> = {},
): Promise<Subscription> {
  return await betweenEvents(context, key, async (context, subscription) => {
    const endpointVersion = await addEndpointVersion(context, subscription, endpoint)
    await updateStoredSubscription(context.database, key, { ...also, endpointVersion }, context.clock.now())
  })
}

/**
 * Writers that have read the version before it was replaced have enqueued by then, allowing for clock differences of
 * our machines.
 */
const REPLACED_VERSION_GRACE = { hours: 1 }

async function addEndpointVersion(
  { database, seal, clock }: Context,
  { partnerId, id: subscriptionId, endpointVersion }: Subscription,
  changes: Partial<Endpoint>,
): Promise<number> {
  const version = endpointVersion + 1
  const replaced = { partnerId, subscriptionId, version: endpointVersion }
  const former = await findEndpoint(database, seal, replaced)
  if (former === undefined) {
    throw new Error(`Subscription ${subscriptionId} has no endpoint`)
  }
  const next = { ...former, ...changes }
  const isSame = (['targetUrl', 'signingSecret', 'bearerToken'] as const).every((part) => next[part] === former[part])
  if (isSame) {
    return endpointVersion
  }
  await insertEndpoint(database, seal, { partnerId, subscriptionId, version }, next)
  await recordEndpointReplacement(database, replaced, lowestIdAt(clock.real().add(REPLACED_VERSION_GRACE)))
  return version
}
