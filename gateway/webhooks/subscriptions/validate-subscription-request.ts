/** Validates a subscription request beyond its schema: URL, bearer token, and whether another subscription has the URL. */
import type {
  WebhookSelection,
  WebhookSubscriptionRequest,
  WebhookSubscriptionWarning,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Config } from '../../config/config.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { openDestinationPolicy } from '../deliveries/dispatch/destination-policy.ts'
import type { Subscription } from '../store/subscription.ts'
import { listSubscriptions } from '../store/subscription-store.ts'

/** The URL as sent, and each type once. Its host is validated at each delivery. */
export function validateSubscriptionRequest(
  { webhookHttpAllowed, sandboxInboxUrl }: Pick<Config, 'webhookHttpAllowed' | 'sandboxInboxUrl'>,
  { targetUrl, eventTypes }: WebhookSubscriptionRequest,
): { readonly targetUrl: string; readonly eventTypes: readonly WebhookSelection[] } {
  const rules = { allowedNetworks: [], httpAllowed: webhookHttpAllowed, inboxUrl: sandboxInboxUrl }
  const read = openDestinationPolicy(rules).read(targetUrl)
  if ('problem' in read) {
    throw apiError('bad-request', `targetUrl is not allowed. ${read.problem}`)
  }
  return { targetUrl, eventTypes: [...new Set(eventTypes)] }
}

/** Throws when the token includes the scheme, which deliveries add. */
export function requireValidBearerToken(bearerToken: string): void {
  if (/^bearer(\s|$)/i.test(bearerToken)) {
    throw apiError('bad-request', 'bearerToken starts with Bearer; send the token without the scheme')
  }
}

/** Empty unless another enabled subscription of the partner has this URL, in whatever notation. */
export async function warnDuplicateTarget(
  database: Queryable,
  { partnerId, id, targetUrl }: Pick<Subscription, 'partnerId' | 'id' | 'targetUrl'>,
): Promise<{ readonly warnings?: WebhookSubscriptionWarning[] }> {
  const { href } = new URL(targetUrl)
  const other = (await listSubscriptions(database, partnerId)).find(
    (each) => each.enabled && each.id !== id && new URL(each.targetUrl).href === href,
  )
  if (other === undefined) {
    return {}
  }
  const reason =
    `The enabled subscription ${other.id} delivers to this URL as well: events that both select arrive there twice, ` +
    'signed with different secrets. Disable one of them, or tell them apart by X-SVC-Webhook-Subscription'
  return { warnings: [{ code: 'DuplicateTargetUrl', reason, path: '.targetUrl', subscriptionId: other.id }] }
}
