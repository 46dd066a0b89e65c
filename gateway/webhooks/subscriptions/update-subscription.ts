/** Updates a subscription's URL and selected events, disables it, or rotates the credentials of its deliveries. */
import type {
  UpdatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionRequest,
  WebhookSubscriptionWithSecret,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { newToken } from '../../platform/ids.ts'
import { requireSubscription } from '../store/require-subscription.ts'
import type { SubscriptionKey } from '../store/subscription.ts'
import { applySubscriptionChange } from './apply-subscription-change.ts'
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
  const change = { eventTypes, endpoint: { targetUrl } }
  const subscription = await applySubscriptionChange(context, key, change)
  const duplicate = subscription.enabled ? await warnDuplicateTarget(context.database, subscription) : {}
  return { ...renderSubscription(subscription), ...duplicate }
}

/** Permanent. Deliveries that are queued still go out. */
export async function disableSubscription(context: Context, key: SubscriptionKey): Promise<WebhookSubscription> {
  const subscription = await requireSubscription(context.database, key)
  return renderSubscription(
    subscription.enabled ? await applySubscriptionChange(context, key, { enabled: false }) : subscription,
  )
}

/** The new secret is only returned here. */
export async function rotateSigningSecret(
  context: Context,
  key: SubscriptionKey,
): Promise<WebhookSubscriptionWithSecret> {
  const signingSecret = newToken()
  const subscription = await applySubscriptionChange(context, key, { endpoint: { signingSecret } })
  return { ...renderSubscription(subscription), signingSecret }
}

export async function rotateBearerToken(
  context: Context,
  key: SubscriptionKey,
  bearerToken: string,
): Promise<WebhookSubscription> {
  requireValidBearerToken(bearerToken)
  return renderSubscription(await applySubscriptionChange(context, key, { endpoint: { bearerToken } }))
}
