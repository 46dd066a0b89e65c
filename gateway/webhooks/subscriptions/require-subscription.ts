/** Finds a subscription of a partner. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
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
