/** Changes where a subscription's deliveries go and which events it selects, or ends it. */
import type { WebhookSubscription, WebhookSubscriptionAsked } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { soundAsked } from '../subscription-rules.ts'
import { changeSubscription } from './apply-subscription-change.ts'
import { shownSubscription } from './get-webhook-subscription.ts'
import { requireSubscription } from './require-subscription.ts'
import type { SubscriptionKey } from './subscription.ts'

type Surroundings = Pick<Context, 'database' | 'seal' | 'clock'>

/** Secrets stay, and a disabled subscription stays disabled. */
export async function updateSubscription(
  context: Surroundings & Pick<Context, 'config'>,
  key: SubscriptionKey,
  asked: WebhookSubscriptionAsked,
): Promise<WebhookSubscription> {
  const { targetUrl, eventTypes } = soundAsked(context.config, asked)
  const change = { eventTypes, endpoint: { targetUrl } }
  return shownSubscription(await changeSubscription(context, key, change))
}

/** For good. Deliveries that are queued still go out. */
export async function disableSubscription(context: Surroundings, key: SubscriptionKey): Promise<WebhookSubscription> {
  const subscription = await requireSubscription(context.database, key)
  return shownSubscription(
    subscription.enabled ? await changeSubscription(context, key, { enabled: false }) : subscription,
  )
}
