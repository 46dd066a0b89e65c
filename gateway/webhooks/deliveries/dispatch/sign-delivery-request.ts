/** Builds the request of one attempt: the stored body, the webhook headers and a fresh signature. */
import { createHmac } from 'node:crypto'
import type { ClaimedDelivery } from '../../store/delivery.ts'
import type { Endpoint } from '../../store/subscription.ts'
import type { DeliveryRequest } from './post-request.ts'

const USER_AGENT = 'Havn-Webhooks/1'

/**
 * Signed with the wall time of the attempt, so that it is within a receiver's tolerance whatever the business clock
 * says.
 */
export function signDeliveryRequest(
  { id, subscriptionId, eventType, body }: Pick<ClaimedDelivery, 'id' | 'subscriptionId' | 'eventType' | 'body'>,
  { targetUrl, signingSecret, bearerToken }: Endpoint,
  real: Temporal.Instant,
): DeliveryRequest {
  const timestamp = String(Math.floor(real.epochMilliseconds / 1000))
  return {
    target: targetUrl,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'X-SVC-Webhook-Id': id,
      'X-SVC-Webhook-Event': eventType,
      'X-SVC-Webhook-Subscription': subscriptionId,
      'X-SVC-Webhook-Timestamp': timestamp,
      'X-SVC-Webhook-Signature': `v1=${signatureOf(signingSecret, timestamp, body)}`,
      ...(bearerToken === null ? {} : { authorization: `Bearer ${bearerToken}` }),
    },
  }
}

function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}
