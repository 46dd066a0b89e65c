/** Validates a subscription request beyond its schema: URL and bearer token. */
import type { WebhookSelection, WebhookSubscriptionRequest } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Config } from '../../config/config.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { openDestinationPolicy } from '../deliveries/dispatch/destination-policy.ts'

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
