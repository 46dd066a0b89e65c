/** Renews what a subscription's deliveries prove themselves with: the signing secret, and the bearer token. */
import type {
  WebhookSubscription,
  WebhookSubscriptionWithSecret,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../context.ts'
import { newToken } from '../../platform/ids.ts'
import { requireSoundBearer } from '../subscription-rules.ts'
import { changeSubscription } from './apply-subscription-change.ts'
import { shownSubscription } from './get-webhook-subscription.ts'
import type { SubscriptionKey } from './subscription.ts'

type Surroundings = Pick<Context, 'database' | 'seal' | 'clock'>

/** The answer is the only place where the new secret is shown. */
export async function rotateSigningSecret(
  context: Surroundings,
  key: SubscriptionKey,
): Promise<WebhookSubscriptionWithSecret> {
  const signingSecret = newToken()
  const subscription = await changeSubscription(context, key, { endpoint: { signingSecret } })
  return { ...shownSubscription(subscription), signingSecret }
}

export async function rotateBearerToken(
  context: Surroundings,
  key: SubscriptionKey,
  bearerToken: string,
): Promise<WebhookSubscription> {
  requireSoundBearer(bearerToken)
  return shownSubscription(await changeSubscription(context, key, { endpoint: { bearerToken } }))
}
