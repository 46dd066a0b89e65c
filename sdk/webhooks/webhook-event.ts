/** The types of webhook events; receivers must expect types, statuses and reasons that are not known yet. */
import type { PaymentStatusEvent, PaymentStatusReason, PaymentStatusValue, TestEvent } from '../generated/api-types.ts'
import { isRecord, parseJson } from '../json.ts'

/** A known value, or one that is not known yet. */
type OrAnother<Known extends string> = Known | (string & {})

/** Any event. `isPaymentStatusChanged` and `isTest` determine its type. */
export type WebhookEvent = {
  /** The same in every delivery of the event, for deduplication. */
  readonly id: string
  /** What happened, for example `PAYMENT_STATUS_COMPLETED`. */
  readonly type: OrAnother<(PaymentStatusEvent | TestEvent)['type']>
  readonly [member: string]: unknown
}

/** An event about a payment's status. */
export type PaymentStatusChanged = WebhookEvent & {
  /** The version of the event's form. */
  readonly version: string
  /** Discard an event that is older than the status you have. */
  readonly occurredAt: string
  readonly data: {
    readonly paymentId: string
    readonly previousStatus: OrAnother<PaymentStatusValue>
    readonly status: OrAnother<PaymentStatusValue>
    readonly statusReason?: OrAnother<PaymentStatusReason> | null
    /** The bank's own text; for operators, not for end users. */
    readonly statusReasonText?: string | null
  }
}

const TEST_EVENT: TestEvent['type'] = 'webhook.test'

/** Parses the event in a body; undefined when there is none. */
export function readEvent(body: string): WebhookEvent | undefined {
  const parsed = parseJson(body)
  return isRecord(parsed) && typeof parsed['id'] === 'string' && typeof parsed['type'] === 'string'
    ? { ...parsed, id: parsed['id'], type: parsed['type'] }
    : undefined
}

/** Whether an event concerns a payment's status, including statuses that are not known yet. */
export function isPaymentStatusChanged(event: WebhookEvent): event is PaymentStatusChanged {
  const { type, data, version, occurredAt } = event
  const isOfStatus = type.startsWith('PAYMENT_STATUS_') && typeof version === 'string' && typeof occurredAt === 'string'
  return (
    isOfStatus &&
    isRecord(data) &&
    ['paymentId', 'previousStatus', 'status'].every((name) => typeof data[name] === 'string')
  )
}

/** Whether an event is the test of a subscription. */
export function isTest({ type }: WebhookEvent): boolean {
  return type === TEST_EVENT
}
