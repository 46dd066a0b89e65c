/** What a subscription is: whom to tell of which events, and the versions of where and how. */
import type { WebhookSelection } from '../../../contract/webhooks/webhook-subscriptions.ts'

/** What identifies a subscription. */
export type SubscriptionKey = { readonly partnerId: string; readonly id: string }

/** Where deliveries go and what they carry. A change of any of it makes another version. */
export type Endpoint = {
  readonly targetUrl: string
  /** Its UTF-8 bytes are the key. */
  readonly signingSecret: string
  readonly bearerToken: string | null
}

/** A subscription as it is kept, with its present address; secrets are apart. */
export type Subscription = SubscriptionKey & {
  readonly enabled: boolean
  readonly eventTypes: readonly WebhookSelection[]
  readonly endpointVersion: number
  readonly targetUrl: string
  readonly hasBearerToken: boolean
  readonly createdAt: Temporal.Instant
  readonly updatedAt: Temporal.Instant
}

/** What the sealed secrets of an endpoint are bound to. */
export function endpointPurpose(
  what: 'signing secret' | 'bearer token',
  endpoint: { readonly partnerId: string; readonly subscriptionId: string; readonly version: string },
): string {
  return `webhook ${what} ${endpoint.partnerId} ${endpoint.subscriptionId} ${endpoint.version}`
}
