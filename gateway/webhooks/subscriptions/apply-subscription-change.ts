/** Changes a subscription atomically between two events: earlier events use the old version, later ones the new one. */
import type { Context } from '../../context.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { lockEventStream } from '../store/lock-event-stream.ts'
import { requireSubscription } from '../store/require-subscription.ts'
import type { Endpoint, Subscription, SubscriptionKey } from '../store/subscription.ts'
import {
  findEndpoint,
  insertEndpoint,
  recordEndpointReplacement,
  updateSubscription,
} from '../store/subscription-store.ts'

export type SubscriptionChange = {
  readonly enabled?: false
  readonly eventTypes?: Subscription['eventTypes']
  readonly endpoint?: Partial<Endpoint>
}

/**
 * Writers that have read the version before it was replaced have enqueued by then, allowing for clock differences of
 * our machines.
 */
const REPLACED_VERSION_GRACE = { hours: 1 }

/** Returns the changed subscription. Throws 404 for one that is not the partner's. */
export async function applySubscriptionChange(
  context: Context,
  key: SubscriptionKey,
  { endpoint, ...change }: SubscriptionChange,
): Promise<Subscription> {
  // No event stream is locked for an unknown id.
  await requireSubscription(context.database, key)
  return await inTransaction(context, async (context) => {
    await lockEventStream(context.database, key.partnerId)
    const subscription = await requireSubscription(context.database, key)
    const version =
      endpoint === undefined
        ? {}
        : { endpointVersion: await addEndpointVersion(context, context.database, subscription, endpoint) }
    await updateSubscription(context.database, key, { ...change, ...version }, context.clock.now())
    return await requireSubscription(context.database, key)
  })
}

async function addEndpointVersion(
  { seal, clock }: Context,
  transaction: Queryable,
  { partnerId, id: subscriptionId, endpointVersion }: Subscription,
  changes: Partial<Endpoint>,
): Promise<number> {
  const version = endpointVersion + 1
  const replaced = { partnerId, subscriptionId, version: endpointVersion }
  const former = await findEndpoint(transaction, seal, replaced)
  if (former === undefined) {
    throw new Error(`Subscription ${subscriptionId} has no endpoint`)
  }
  const next = { ...former, ...changes }
  const isSame = (['targetUrl', 'signingSecret', 'bearerToken'] as const).every((part) => next[part] === former[part])
  if (isSame) {
    return endpointVersion
  }
  await insertEndpoint(transaction, seal, { partnerId, subscriptionId, version }, next)
  await recordEndpointReplacement(transaction, replaced, lowestIdAt(clock.real().add(REPLACED_VERSION_GRACE)))
  return version
}
