/** Finds a subscription of a partner. */
import type { Queryable } from '../foundation/database/atomically.ts'
import { refuse } from '../foundation/http/refusal.ts'
import type { Subscription, SubscriptionKey } from './subscription.ts'
import { findSubscription } from './subscription-store.ts'

/** Throws 404 when there is none; another partner's does not exist. */
export async function requireSubscription(database: Queryable, key: SubscriptionKey): Promise<Subscription> {
  const subscription = await findSubscription(database, key)
  if (subscription === undefined) {
    throw refuse('not-found', 'There is no webhook subscription with this id')
  }
  return subscription
}
