/** Changes a subscription between two events: what is recorded before goes out as it was, what comes after as it is. */
import type { Context } from '../../context.ts'
import { holdEvents } from '../../events/hold-events.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import { leastIdAt } from '../../platform/ids.ts'
import { requireSubscription } from './require-subscription.ts'
import type { Endpoint, Subscription, SubscriptionKey } from './subscription.ts'
import { findEndpoint, insertEndpoint, markReplaced, updateSubscription } from './subscription-store.ts'

/** What is to be different. */
export type SubscriptionChange = {
  readonly enabled?: false
  readonly eventTypes?: Subscription['eventTypes']
  readonly endpoint?: Partial<Endpoint>
}

/** Whoever has read the version before it was replaced has queued by then, as the clock of any of our machines tells it. */
const QUEUED_WITHIN = { hours: 1 }

/** Answers the subscription as it is then. Throws 404 for one that is not the partner's. */
export async function changeSubscription(
  { database, seal, clock }: Pick<Context, 'database' | 'seal' | 'clock'>,
  key: SubscriptionKey,
  { endpoint, ...change }: SubscriptionChange,
): Promise<Subscription> {
  // Nobody's events are held for an id that is made up.
  await requireSubscription(database, key)
  return await atomically(database, async (transaction) => {
    await holdEvents(transaction, key.partnerId)
    const subscription = await requireSubscription(transaction, key)
    const version =
      endpoint === undefined
        ? {}
        : { endpointVersion: await addVersion({ seal, clock }, transaction, subscription, endpoint) }
    await updateSubscription(transaction, key, { ...change, ...version }, clock.now())
    return await requireSubscription(transaction, key)
  })
}

async function addVersion(
  { seal, clock }: Pick<Context, 'seal' | 'clock'>,
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
  await markReplaced(transaction, replaced, leastIdAt(clock.real().add(QUEUED_WITHIN)))
  return version
}
