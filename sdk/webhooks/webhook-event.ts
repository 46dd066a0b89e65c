/** The types of webhook events; receivers must expect types, statuses and reasons that are not known yet. */
import type {
  AccountEntriesEvent,
  ApprovalStatusEvent,
  ConsentEvent,
  ExchangeEvent,
  OnboardingStatusEvent,
  PaymentStatusEvent,
  PayrollStatusEvent,
  PayrollTransactionStatusEvent,
  TestEvent,
} from '../generated/api-types.ts'
import { isRecord, parseJson } from '../json.ts'

/** A received value: where the API lists texts, one that is not known yet is possible. */
type Received<Value> = Value extends string
  ? Value | (string & {})
  : Value extends readonly (infer Element)[]
    ? readonly Received<Element>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Received<Value[Name]> }
      : Value

/** An event of a family; `type` narrows to it, also when it is a newer one of the family. */
type EventOfFamily<Event extends { data: unknown }, Family extends string> = {
  /** The same in every delivery of the event, for deduplication. */
  readonly id: string
  /** What happened. */
  readonly type: `${Family}_${string}`
  /** The version of the event's form. */
  readonly version: string
  /** Discard an event that is older than what you have. */
  readonly occurredAt: string
  readonly data: Received<Event['data']>
}

/** A payment's status has changed. */
export type PaymentStatusChanged = EventOfFamily<PaymentStatusEvent, 'PAYMENT_STATUS'>
/** A payroll's status has changed. */
export type PayrollStatusChanged = EventOfFamily<PayrollStatusEvent, 'PAYROLL_STATUS'>
/** Transactions of a payroll have changed to one status. */
export type PayrollTransactionStatusChanged = EventOfFamily<PayrollTransactionStatusEvent, 'PAYROLL_TRANSACTION_STATUS'>
/** An approval of payments or payrolls has ended. */
export type ApprovalEnded = EventOfFamily<ApprovalStatusEvent, 'APPROVAL_STATUS'>
/** A consent was accepted, expires within seven days, or has ended. */
export type ConsentChanged = EventOfFamily<ConsentEvent, 'CONSENT'>
/** An onboarding's status has changed. */
export type OnboardingStatusChanged = EventOfFamily<OnboardingStatusEvent, 'ONBOARDING_STATUS'>
/** The exchange of a payment has taken its next step. */
export type ExchangeStepped = EventOfFamily<ExchangeEvent, 'EXCHANGE'>
/** Booked entries were found on an account. */
export type AccountEntriesBooked = EventOfFamily<AccountEntriesEvent, 'ACCOUNT_ENTRIES'>

/** Marks a type as none of the known ones. */
declare const unknownType: unique symbol
/** A text; the compiler distinguishes it from the known types only in the form of a template. */
// biome-ignore lint/suspicious/noExplicitAny: `${string}` is the same as `string`, which a union cannot be narrowed by.
type UnknownType = `${any}` & { readonly [unknownType]: true }

/** An event of a family that this client does not know. */
export type UnknownWebhookEvent = {
  readonly id: string
  readonly type: UnknownType
  readonly [member: string]: unknown
}

/** Any event: `switch (event.type)` narrows it, and so do the guards (`isConsentChanged`), which also check its form. */
export type WebhookEvent =
  | PaymentStatusChanged
  | PayrollStatusChanged
  | PayrollTransactionStatusChanged
  | ApprovalEnded
  | ConsentChanged
  | OnboardingStatusChanged
  | ExchangeStepped
  | AccountEntriesBooked
  | Readonly<TestEvent>
  | UnknownWebhookEvent

const TEST_EVENT: TestEvent['type'] = 'webhook.test'

/** Parses the event in a body; undefined when there is none. */
export function readEvent(body: string): WebhookEvent | undefined {
  const parsed = parseJson(body)
  const isEvent = isRecord(parsed) && typeof parsed['id'] === 'string' && typeof parsed['type'] === 'string'
  // The service signs the form that belongs to a type; the guards check it.
  return isEvent ? (parsed as WebhookEvent) : undefined
}

/** Whether an event is about a payment's status, including statuses that are not known yet. */
export function isPaymentStatusChanged(event: WebhookEvent): event is PaymentStatusChanged {
  return isOfFamily(event, 'PAYMENT_STATUS', ['paymentId', 'previousStatus', 'status'])
}

/** Whether an event is about a payroll's status. */
export function isPayrollStatusChanged(event: WebhookEvent): event is PayrollStatusChanged {
  return isOfFamily(event, 'PAYROLL_STATUS', ['payrollId', 'previousStatus', 'status'])
}

/** Whether an event is about the status of transactions of a payroll. */
export function isPayrollTransactionStatusChanged(event: WebhookEvent): event is PayrollTransactionStatusChanged {
  const isOf = isOfFamily(event, 'PAYROLL_TRANSACTION_STATUS', ['payrollId', 'status'])
  return isOf && 'data' in event && isRecord(event.data) && Array.isArray(event.data['transactions'])
}

/** Whether an event is about the end of an approval. */
export function isApprovalEnded(event: WebhookEvent): event is ApprovalEnded {
  return isOfFamily(event, 'APPROVAL_STATUS', ['approvalId', 'subject', 'previousStatus', 'status'])
}

/** Whether an event is about a consent. */
export function isConsentChanged(event: WebhookEvent): event is ConsentChanged {
  return isOfFamily(event, 'CONSENT', ['consentId', 'status'])
}

/** Whether an event is about an onboarding's status. */
export function isOnboardingStatusChanged(event: WebhookEvent): event is OnboardingStatusChanged {
  return isOfFamily(event, 'ONBOARDING_STATUS', ['onboardingId', 'status'])
}

/** Whether an event is about a step of an exchange. */
export function isExchangeStepped(event: WebhookEvent): event is ExchangeStepped {
  return isOfFamily(event, 'EXCHANGE', ['referenceCode', 'step'])
}

/** Whether an event is about new entries on an account. */
export function isAccountEntriesBooked(event: WebhookEvent): event is AccountEntriesBooked {
  return isOfFamily(event, 'ACCOUNT_ENTRIES', ['accountStableId', 'consentId', 'fromDate', 'toDate'])
}

/** Whether an event is the test of a subscription. */
export function isTest(event: WebhookEvent): event is Readonly<TestEvent> {
  return event.type === TEST_EVENT
}

/** Whether an event has the form of a family, whose `data` has these texts. */
function isOfFamily(event: Readonly<Record<string, unknown>>, family: string, texts: readonly string[]): boolean {
  const { type, data, version, occurredAt } = event
  const belongs = typeof type === 'string' && type.startsWith(`${family}_`)
  const isEvent = belongs && typeof version === 'string' && typeof occurredAt === 'string'
  return isEvent && isRecord(data) && texts.every((name) => typeof data[name] === 'string')
}
