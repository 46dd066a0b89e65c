/** Holds what a partner asks of a subscription to the rules that no schema can tell. */
import type { WebhookSelection, WebhookSubscriptionAsked } from '../../contract/webhooks/webhook-subscriptions.ts'
import type { Config } from '../config/config.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { openDestinations } from './deliveries/dispatch/destination-policy.ts'

/** The address as it was sent, and each type once. Whom the address leads to is asked at each delivery. */
export function soundAsked(
  { webhookHttpAllowed }: Pick<Config, 'webhookHttpAllowed'>,
  { targetUrl, eventTypes }: WebhookSubscriptionAsked,
): { readonly targetUrl: string; readonly eventTypes: readonly WebhookSelection[] } {
  const read = openDestinations({ allowedNetworks: [], httpAllowed: webhookHttpAllowed }).read(targetUrl)
  if ('problem' in read) {
    throw refuse('bad-request', `targetUrl cannot be used. ${read.problem}`)
  }
  return { targetUrl, eventTypes: [...new Set(eventTypes)] }
}

/** Throws where the token has the scheme in front, which deliveries add. */
export function requireSoundBearer(bearerToken: string): void {
  if (/^bearer(\s|$)/i.test(bearerToken)) {
    throw refuse('bad-request', 'bearerToken begins with Bearer; send the token alone')
  }
}
