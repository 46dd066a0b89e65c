/** Creates a subscription; events that happen from then on are delivered. */
import type {
  WebhookSubscriptionRequest,
  WebhookSubscriptionWithSecret,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId, newToken } from '../../platform/ids.ts'
import { lockEventStream } from '../store/lock-event-stream.ts'
import {
  countEnabledSubscriptions,
  FIRST_ENDPOINT_VERSION,
  insertEndpoint,
  insertSubscription,
  requireSubscription,
} from '../store/subscription-store.ts'
import { renderSubscription } from './get-webhook-subscription.ts'
import { validateSubscriptionRequest, warnDuplicateTarget } from './validate-subscription-request.ts'

/** Each enabled subscription adds one delivery per event; a partner with more than this has probably deleted some. */
export const ENABLED_SUBSCRIPTIONS_MAX = 100

/** Returns the subscription with its secret, which is not shown again. */
export async function createSubscription(
  context: Context,
  { partnerId }: Pick<PartnerCaller, 'partnerId'>,
  request: WebhookSubscriptionRequest,
): Promise<WebhookSubscriptionWithSecret> {
  const { targetUrl, eventTypes } = validateSubscriptionRequest(context.config, request)
  const [key, signingSecret] = [{ partnerId, id: newId() }, newToken()]
  const endpoint = { partnerId, subscriptionId: key.id, version: FIRST_ENDPOINT_VERSION }
  const subscription = await inTransaction(context, async ({ database, seal, clock }) => {
    await lockEventStream(database, partnerId)
    if ((await countEnabledSubscriptions(database, partnerId)) >= ENABLED_SUBSCRIPTIONS_MAX) {
      throw apiError(
        'conflict',
        `At most ${ENABLED_SUBSCRIPTIONS_MAX} subscriptions may be enabled; disable one that is not used`,
      )
    }
    await insertEndpoint(database, seal, endpoint, { targetUrl, signingSecret, bearerToken: null })
    await insertSubscription(database, { ...key, eventTypes }, clock.now())
    return await requireSubscription(database, key)
  })
  return {
    ...renderSubscription(subscription),
    signingSecret,
    ...(await warnDuplicateTarget(context.database, subscription)),
  }
}
