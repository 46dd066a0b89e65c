/** Lists the types of webhook events by family, and which status each type reports. */
import type { ApprovalStatus } from '../approvals.ts'
import type { ConsentStatus } from '../consents.ts'
import type { ExchangeProgress } from '../fx/exchange-progress.ts'
import type { OnboardingStatus } from '../onboarding.ts'
import type { PaymentStatusValue } from '../payments/payment-status.ts'

export const paymentEventTypes = {
  Unsigned: 'PAYMENT_STATUS_UNSIGNED',
  InProgress: 'PAYMENT_STATUS_IN_PROGRESS',
  Rejected: 'PAYMENT_STATUS_REJECTED',
  Completed: 'PAYMENT_STATUS_COMPLETED',
  Cancelled: 'PAYMENT_STATUS_CANCELLED',
  CustomerActionRequired: 'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED',
} as const satisfies Record<PaymentStatusValue, string>

export const payrollEventTypes = {
  Unsigned: 'PAYROLL_STATUS_UNSIGNED',
  InProgress: 'PAYROLL_STATUS_IN_PROGRESS',
  Rejected: 'PAYROLL_STATUS_REJECTED',
  Completed: 'PAYROLL_STATUS_COMPLETED',
  Cancelled: 'PAYROLL_STATUS_CANCELLED',
  CustomerActionRequired: 'PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED',
} as const satisfies Record<PaymentStatusValue, string>

export const payrollTransactionEventTypes = {
  Unsigned: 'PAYROLL_TRANSACTION_STATUS_UNSIGNED',
  InProgress: 'PAYROLL_TRANSACTION_STATUS_IN_PROGRESS',
  Rejected: 'PAYROLL_TRANSACTION_STATUS_REJECTED',
  Completed: 'PAYROLL_TRANSACTION_STATUS_COMPLETED',
  Cancelled: 'PAYROLL_TRANSACTION_STATUS_CANCELLED',
  CustomerActionRequired: 'PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED',
} as const satisfies Record<PaymentStatusValue, string>

/** The event type of each status that a consent changes to. */
export const consentEventTypes = {
  ACCEPTED: 'CONSENT_ACCEPTED',
  REJECTED: 'CONSENT_REJECTED',
  CANCELLED: 'CONSENT_CANCELLED',
  EXPIRED: 'CONSENT_EXPIRED',
  REVOKED: 'CONSENT_REVOKED',
} as const satisfies Record<Exclude<ConsentStatus, 'AUTHORIZATION_REQUIRED'>, string>

/** A consent in force that expires soon; its status is unchanged. */
export const CONSENT_EXPIRING = 'CONSENT_EXPIRING'

/** The event type of each status that an onboarding changes to. */
export const onboardingEventTypes = {
  AwaitingCustomerAction: 'ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION',
  ManualHandling: 'ONBOARDING_STATUS_MANUAL_HANDLING',
  Accepted: 'ONBOARDING_STATUS_ACCEPTED',
  Rejected: 'ONBOARDING_STATUS_REJECTED',
  Cancelled: 'ONBOARDING_STATUS_CANCELLED',
  Expired: 'ONBOARDING_STATUS_EXPIRED',
} as const satisfies Record<Exclude<OnboardingStatus, 'Created'>, string>

/** The event type of each status that an approval changes to. */
export const approvalEventTypes = {
  ACCEPTED: 'APPROVAL_STATUS_ACCEPTED',
  REJECTED: 'APPROVAL_STATUS_REJECTED',
  CANCELLED: 'APPROVAL_STATUS_CANCELLED',
} as const satisfies Record<Exclude<ApprovalStatus, 'STARTED'>, string>

type ExchangeStep = NonNullable<ExchangeProgress['timeline']>[number]['event']

/** The event type of each step of an exchange after its booking. */
export const exchangeEventTypes = {
  Signed: 'EXCHANGE_SIGNED',
  Funded: 'EXCHANGE_FUNDED',
  PayoutOrdered: 'EXCHANGE_PAYOUT_ORDERED',
  PaidOut: 'EXCHANGE_PAID_OUT',
  PayoutReturned: 'EXCHANGE_PAYOUT_RETURNED',
  Refunded: 'EXCHANGE_REFUNDED',
  Undoing: 'EXCHANGE_UNDOING',
  Undone: 'EXCHANGE_UNDONE',
} as const satisfies Partial<Record<ExchangeStep, string>>

/** Entries that were not there when the account was read before. */
export const ACCOUNT_ENTRIES_BOOKED = 'ACCOUNT_ENTRIES_BOOKED'

/** The types of each family. The name of a family selects all its types, those included that are added later. */
export const eventFamilies = {
  PAYMENT_STATUS: Object.values(paymentEventTypes),
  PAYROLL_STATUS: Object.values(payrollEventTypes),
  PAYROLL_TRANSACTION_STATUS: Object.values(payrollTransactionEventTypes),
  APPROVAL_STATUS: Object.values(approvalEventTypes),
  CONSENT: [...Object.values(consentEventTypes), CONSENT_EXPIRING] as const,
  ONBOARDING_STATUS: Object.values(onboardingEventTypes),
  EXCHANGE: Object.values(exchangeEventTypes),
  ACCOUNT_ENTRIES: [ACCOUNT_ENTRIES_BOOKED] as const,
} as const
export type EventFamily = keyof typeof eventFamilies
export type EventType = (typeof eventFamilies)[EventFamily][number]

export type EventTypeOf<Family extends EventFamily> = (typeof eventFamilies)[Family][number]

export const EVENT_TYPES: readonly EventType[] = Object.values(eventFamilies).flat()

const familyByType = new Map<string, EventFamily>(
  (Object.keys(eventFamilies) as EventFamily[]).flatMap((family) =>
    eventFamilies[family].map((type): [string, EventFamily] => [type, family]),
  ),
)

/** The family of a type. Throws for a type that is none, a test for example. */
export function familyOf(type: string): EventFamily {
  const family = familyByType.get(type)
  if (family === undefined) {
    throw new Error(`${type} is not a type of event`)
  }
  return family
}
