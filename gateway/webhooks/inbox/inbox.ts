/** Defines the sandbox's webhook inbox: an endpoint of ours for each partner, which shows what was delivered to it. */

/** A request that the inbox has received. */
export type InboxDelivery = {
  readonly partnerId: string
  readonly id: string
  /** Wall time. */
  readonly receivedAt: Temporal.Instant
  /** The `X-SVC-Webhook-Event` header; null without one. */
  readonly eventType: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signatureStatus: SignatureStatus
}

/** What a receiver finds out before it trusts a body. */
export type SignatureStatus = 'valid' | 'missing' | 'expired' | 'wrong'

/** The newest ones of each partner are stored. */
export const INBOX_DELIVERIES_MAX = 100

/** A receiver rejects older or later timestamps, so that a recorded delivery cannot be sent again. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300

/** The URL of a partner's inbox; `token` is a capability like that of every URL without authentication. */
export function inboxUrlOf(baseUrl: string, { partnerId, token }: { partnerId: string; token: string }): string {
  return `${baseUrl.replace(/\/$/, '')}/inbox/${partnerId}/${token}`
}
