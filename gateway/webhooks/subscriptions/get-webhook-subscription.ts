/** Shows subscriptions to their partner; never a secret. */
import type { WebhookSubscription } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import type { Context } from '../../context.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { requireSubscription } from './require-subscription.ts'
import type { Subscription } from './subscription.ts'
import { listSubscriptions } from './subscription-store.ts'

type Whose = Pick<PartnerCaller, 'partnerId'>

export async function showSubscription(
  { database }: Pick<Context, 'database'>,
  { partnerId }: Whose,
  id: string,
): Promise<WebhookSubscription> {
  return shownSubscription(await requireSubscription(database, { partnerId, id }))
}

/** Every enabled one, then disabled ones; newest first in both. */
export async function showSubscriptions(
  { database }: Pick<Context, 'database'>,
  { partnerId }: Whose,
): Promise<WebhookSubscription[]> {
  return (await listSubscriptions(database, partnerId)).map(shownSubscription)
}

/** A subscription as the interface has it. */
export function shownSubscription(subscription: Subscription): WebhookSubscription {
  const { id, targetUrl, enabled, eventTypes, hasBearerToken, createdAt, updatedAt } = subscription
  return {
    id,
    targetUrl,
    enabled,
    createdAt: printTimestamp(createdAt),
    updatedAt: printTimestamp(updatedAt),
    eventTypes: [...eventTypes],
    hasBearerToken,
  }
}
