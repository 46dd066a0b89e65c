/** Takes a new subscription; events that happen from then on are delivered. */
import type {
  WebhookSubscriptionAsked,
  WebhookSubscriptionWithSecret,
} from '../../contract/webhooks/webhook-subscriptions.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { holdEvents } from '../events/hold-events.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { newId, newToken } from '../platform/ids.ts'
import { soundAsked } from './subscription-rules.ts'
import { shownSubscription } from './subscriptions/get-webhook-subscription.ts'
import { requireSubscription } from './subscriptions/require-subscription.ts'
import { countEnabled, FIRST_VERSION, insertEndpoint, insertSubscription } from './subscriptions/subscription-store.ts'

/** Each makes a delivery of an event: a partner that needs more than this has lost sight of them. */
export const ENABLED_MAX = 100

/** Answers the subscription with its secret, which is not shown again. */
export async function createSubscription(
  context: Pick<Context, 'database' | 'seal' | 'clock' | 'config'>,
  { partnerId }: Pick<PartnerCaller, 'partnerId'>,
  asked: WebhookSubscriptionAsked,
): Promise<WebhookSubscriptionWithSecret> {
  const { targetUrl, eventTypes } = soundAsked(context.config, asked)
  const { database, seal, clock } = context
  const [key, signingSecret] = [{ partnerId, id: newId() }, newToken()]
  const endpoint = { partnerId, subscriptionId: key.id, version: FIRST_VERSION }
  const subscription = await atomically(database, async (transaction) => {
    await holdEvents(transaction, partnerId)
    if ((await countEnabled(transaction, partnerId)) >= ENABLED_MAX) {
      throw refuse('conflict', `There are ${ENABLED_MAX} enabled subscriptions already; disable one that is not used`)
    }
    await insertEndpoint(transaction, seal, endpoint, { targetUrl, signingSecret, bearerToken: null })
    await insertSubscription(transaction, { ...key, eventTypes }, clock.now())
    return await requireSubscription(transaction, key)
  })
  return { ...shownSubscription(subscription), signingSecret }
}
