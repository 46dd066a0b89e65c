/** The types of webhook events; receivers must expect unknown types, statuses and reasons. */
import type { PaymentStatusReason, PaymentStatusValue } from '../contract/shapes.ts'
import type { WebhookDelivery } from '../contract/webhooks/webhook-deliveries.ts'
import { type PaymentEventType, TEST_EVENT } from '../contract/webhooks/webhook-events.ts'

/** A known value, or one that is not known yet. */
type OrAnother<Known extends string> = Known | (string & {})

/** Any event. */
export type WebhookEvent = {
  /** The same in every delivery of the event, for deduplication. */
  readonly id: string
  readonly type: OrAnother<PaymentEventType | typeof TEST_EVENT>
  readonly [member: string]: unknown
}

/** An event about a payment's status. */
export type PaymentStatusChanged = WebhookEvent & {
  readonly version: string
  /** Discard an event that is older than the status you have. */
  readonly occurredAt: string
  readonly data: {
    readonly paymentId: string
    readonly previousStatus: OrAnother<PaymentStatusValue>
    readonly status: OrAnother<PaymentStatusValue>
    readonly statusReason?: OrAnother<PaymentStatusReason> | null
    readonly statusReasonText?: string | null
  }
}

/** Parses the event in a body; undefined when there is none. */
export function readEvent(body: WebhookDelivery['body']): WebhookEvent | undefined {
  const parsed = parse(body)
  return isRecord(parsed) && typeof parsed['id'] === 'string' && typeof parsed['type'] === 'string'
    ? { ...parsed, id: parsed['id'], type: parsed['type'] }
    : undefined
}

/** Whether an event concerns a payment's status, including statuses that are not known yet. */
export function isPaymentStatusChanged(event: WebhookEvent): event is PaymentStatusChanged {
  const { type, data, version, occurredAt } = event
  const isTold = type.startsWith('PAYMENT_STATUS_') && typeof version === 'string' && typeof occurredAt === 'string'
  return (
    isTold &&
    isRecord(data) &&
    ['paymentId', 'previousStatus', 'status'].every((name) => typeof data[name] === 'string')
  )
}

export function isTest({ type }: WebhookEvent): boolean {
  return type === TEST_EVENT
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
