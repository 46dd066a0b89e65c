/** Rotates the credentials of a subscription's deliveries: the signing secret, and the bearer token. */
import type {
  WebhookSubscription,
  WebhookSubscriptionWithSecret,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { newToken } from '../../platform/ids.ts'
import type { SubscriptionKey } from '../store/subscription.ts'
import { applySubscriptionChange } from './apply-subscription-change.ts'
import { renderSubscription } from './get-webhook-subscription.ts'
import { requireValidBearerToken } from './validate-subscription-request.ts'

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
