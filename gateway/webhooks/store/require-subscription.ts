/** Finds a subscription of a partner. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { Subscription, SubscriptionKey } from './subscription.ts'
import { findSubscription } from './subscription-store.ts'

/** Throws 404 when it does not exist or belongs to another partner. */
export async function requireSubscription(database: Queryable, key: SubscriptionKey): Promise<Subscription> {
  const subscription = await findSubscription(database, key)
  if (subscription === undefined) {
    throw apiError('not-found', 'There is no webhook subscription with this id')
  }
  return subscription
}

/** Throws 404 also for a disabled one, to which nothing is delivered. */
export async function requireEnabledSubscription(database: Queryable, key: SubscriptionKey): Promise<Subscription> {
  const subscription = await requireSubscription(database, key)
  if (!subscription.enabled) {
    throw apiError('not-found', 'This webhook subscription is disabled')
  }
  return subscription
}
