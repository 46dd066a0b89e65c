/** A webhook subscription: the selected events, and the versions of its endpoint. */
import type { WebhookSelection } from '../../../contract/webhooks/webhook-subscriptions.ts'

export type SubscriptionKey = { readonly partnerId: string; readonly id: string }

/** The destination of deliveries and their credentials. Any change creates a new version. */
export type Endpoint = {
  readonly targetUrl: string
  /** Its UTF-8 bytes are the HMAC key. */
  readonly signingSecret: string
  readonly bearerToken: string | null
}

/** A stored subscription with its current URL; secrets are separate. */
export type Subscription = SubscriptionKey & {
  readonly enabled: boolean
  /** The position of the partner's last event before it was paused; null unless it is. */
  readonly pausedAfter: bigint | null
  readonly eventTypes: readonly WebhookSelection[]
  readonly endpointVersion: number
  readonly targetUrl: string
  readonly hasBearerToken: boolean
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
}

/** The purpose to which the sealed secrets of an endpoint are bound. */
export function endpointPurpose(
  what: 'signing secret' | 'bearer token',
  endpoint: { readonly partnerId: string; readonly subscriptionId: string; readonly version: string | number },
): string {
  return `webhook ${what} ${endpoint.partnerId} ${endpoint.subscriptionId} ${endpoint.version}`
}
