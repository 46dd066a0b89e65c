/** Returns subscriptions to their partner; never a secret. */

import type { WebhookSubscription } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { Subscription } from '../store/subscription.ts'
import { listSubscriptions, requireSubscription } from '../store/subscription-store.ts'

type Whose = Pick<PartnerCaller, 'partnerId'>

export async function getWebhookSubscription(
  { database }: Context,
  { partnerId }: Whose,
  id: string,
): Promise<WebhookSubscription> {
  return renderSubscription(await requireSubscription(database, { partnerId, id }))
}

/** Enabled ones first, then disabled ones; newest first in both. */
export async function listWebhookSubscriptions(
  { database }: ProgramContext,
  { partnerId }: Whose,
): Promise<WebhookSubscription[]> {
  return (await listSubscriptions(database, partnerId)).map(renderSubscription)
}

export function renderSubscription(subscription: Subscription): WebhookSubscription {
  const { id, targetUrl, enabled, pausedAfter, eventTypes, hasBearerToken, createdAt, updatedAt } = subscription
  return {
    id,
    targetUrl,
    enabled,
    paused: enabled && pausedAfter !== null,
    createdAt: formatTimestamp(createdAt),
    updatedAt: formatTimestamp(updatedAt),
    eventTypes: [...eventTypes],
    hasBearerToken,
  }
}
