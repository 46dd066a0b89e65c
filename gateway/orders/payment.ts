/** Defines a payment: its order, its status, the expected transitions and the permitted actions. */

import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import type { DomesticPayment, DomesticRail } from '../../contract/payments/domestic-payment.ts'
import type {
  PaymentStatusReason,
  PaymentStatus as PaymentStatusShown,
  PaymentStatusValue,
} from '../../contract/payments/payment-status.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { presentFields } from '../platform/collections.ts'
import type { Money } from '../platform/money.ts'
import { type ExchangeState, isExchangeConfirmed, mayStillChange } from './exchange-state.ts'
import type { PayrollOrdered } from './payroll-order.ts'

/** Whether the bank has accepted the order: `void` orders were certainly never accepted. */
export type SubmissionOutcome = 'in-flight' | 'known' | 'unknown' | 'void'

/** The order exactly as the partner sent it. */
export type OrderRequest =
  | { readonly type: 'Domestic'; readonly ordered: DomesticPayment }
  | { readonly type: 'CrossBorder'; readonly ordered: CrossBorderPayment }
  /** An order of a payroll: stored like a payment but not visible as one. Its contents are sealed elsewhere. */
  | { readonly type: 'Payroll'; readonly ordered: PayrollOrdered }

/** A stored payment. */
export type Payment = PaymentFacts & OrderRequest

/** A payment that partners see as one. */
export type PartnerPayment = Extract<Payment, { readonly type: 'Domestic' | 'CrossBorder' }>

/** An order of a payroll. Its amount is zero and its creditor a digest: both are sealed with the other contents. */
export type PayrollPayment = Extract<Payment, { readonly type: 'Payroll' }>

/** The properties of payments of every type. */
type PaymentFacts = {
  readonly partnerId: string
  readonly id: string
  readonly consentId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly endToEndId: string
  readonly amount: Money
  readonly debtorBban: string
  readonly creditorBban: string
  /** Of a domestic order. */
  readonly rail: DomesticRail
  readonly dueDate: Temporal.PlainDate
  readonly outcome: SubmissionOutcome
  readonly bankRequestId: string
  readonly bankPaymentId: string | null
  readonly status: PaymentStatusValue
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  readonly bankStatus: string | null
  /** Whether every signature that is known to be needed was given. */
  readonly signed: boolean
  /** When the last known signature was given. */
  readonly signedAt: Temporal.Instant | null
  readonly createdAt: Temporal.Instant
  /** The last successful read at the bank. */
  readonly statusAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  /** Wall time of the bank's last inbound notification. */
  readonly bankNotifiedAt: Temporal.Instant | null
  readonly pollAt: Temporal.Instant | null
  readonly pollStep: number
  /** Since when polling the bank fails; null when the last poll succeeded. */
  readonly unreadSince: Temporal.Instant | null
  /** When the current final status was first reported. */
  readonly finalSince: Temporal.Instant | null
  /** When the bank first reported that the unsigned order no longer exists; null after it reported the order again. */
  readonly expiredAt: Temporal.Instant | null
  /** When the bank accepted its cancellation, whether or not its status shows that yet. */
  readonly cancellationAcceptedAt: Temporal.Instant | null
  /** The entry on the debtor's account that proves the settlement. */
  readonly settledBy: string | null
  /** The state of its exchange; null without one. Amount and creditor are then those of the funding order. */
  readonly exchange: ExchangeState | null
  readonly quoteId: string | null
  /** The deadline for its signature. */
  readonly deadlineAt: Temporal.Instant | null
  /** When the next step of its exchange is due; null when none is left. */
  readonly decideAt: Temporal.Instant | null
  /** The payroll to which the order belongs; null for payments. */
  readonly payrollId: string | null
}

/** A payment that its bank has acknowledged, even if the order has expired since. */
export type AcknowledgedPayment = Payment & { readonly bankPaymentId: string }

/** Returns the bank's product. Funding orders of an exchange and single orders of a payroll are domestic orders. */
export function productAtBank(
  payment: Pick<Payment, 'exchange'> & OrderRequest,
): 'domestic' | 'cross-border' | 'bulk' | 'file' {
  switch (payment.type) {
    case 'Domestic':
      return 'domestic'
    case 'CrossBorder':
      return payment.exchange === null ? 'cross-border' : 'domestic'
    case 'Payroll':
      return payment.ordered.as === 'single' ? 'domestic' : payment.ordered.as
  }
}

/** Whether partners see it as a payment. */
export function isPartnerPayment(payment: Payment): payment is PartnerPayment {
  return payment.type !== 'Payroll'
}

/** A status, or the reason of a status that always has one. */
type StatusOrReason = Exclude<PaymentStatusValue, 'CustomerActionRequired'> | PaymentStatusReason

/** The actions that Havn may take; every other change is the bank's. */
export type PaymentAction =
  /** Start a user's authorisation. */
  | 'approve'
  /** Cancel it at the bank for a user. */
  | 'cancel'
  /** Cancel it at the bank at the end of its due day when it is not fully signed. */
  | 'withdraw'
  /** Resubmit the order after it expired at the bank. */
  | 'place-again'
  /** Record an operator's finding that the bank never accepted it. */
  | 'void'
  /** Record its settlement as shown by an entry on the account. */
  | 'settle'

/** The expected transitions, any other being recorded and reported, and the permitted actions. */
type StatusRow = {
  readonly expectedNext: readonly StatusOrReason[]
  readonly permits: readonly PaymentAction[]
}

const FINAL = ['Completed', 'Rejected', 'Cancelled'] as const

/** The status table of the API's decisions. */
const statusTable: Readonly<Record<PaymentStatusValue, StatusRow>> = {
  Unsigned: {
    expectedNext: ['PartlySigned', 'SmsConfirmationRequired', 'InProgress', ...FINAL],
    permits: ['approve', 'cancel', 'withdraw', 'place-again', 'void'],
  },
  CustomerActionRequired: {
    expectedNext: ['SmsConfirmationRequired', 'InProgress', 'Unsigned', ...FINAL],
    permits: ['cancel'],
  },
  InProgress: {
    expectedNext: ['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds', ...FINAL],
    permits: ['cancel', 'settle'],
  },
  Completed: { expectedNext: ['Rejected'], permits: [] },
  Rejected: { expectedNext: [], permits: [] },
  // Of an exchange that was cancelled while it was unknown whether the bank holds the order.
  Cancelled: { expectedNext: [], permits: ['void'] },
}

/** Further actions that a status permits when it has this reason. */
const permitsByReason: Readonly<Partial<Record<PaymentStatusReason, readonly PaymentAction[]>>> = {
  PartlySigned: ['approve', 'withdraw'],
}

type StatusAndReason = Pick<Payment, 'status' | 'statusReason'>

/** Actions on unsigned orders only, whatever the status is: it may stem from a bank status unknown to us. */
const BEFORE_SIGNING: ReadonlySet<PaymentAction> = new Set(['approve', 'withdraw', 'place-again', 'void'])

/** Whether Havn may take an action. Statuses reported by the bank are recorded without this check. */
export function permits(
  { status, statusReason, signed }: StatusAndReason & Pick<Payment, 'signed'>,
  action: PaymentAction,
): boolean {
  const permittedByReason = statusReason === null ? [] : (permitsByReason[statusReason] ?? [])
  const isTooLate = signed && BEFORE_SIGNING.has(action)
  return !isTooLate && (statusTable[status].permits.includes(action) || permittedByReason.includes(action))
}

/** Whether banks are expected not to change the status again. */
export function isFinalStatus(status: PaymentStatusValue): boolean {
  return FINAL.some((final) => final === status)
}

/** Whether it has ended without a payment. */
export function hasEndedUnpaid({ status }: Pick<Payment, 'status'>): boolean {
  return status === 'Rejected' || status === 'Cancelled'
}

/** Whether the bank has acknowledged the order. */
export function isAcknowledged(payment: Payment): payment is AcknowledgedPayment {
  return payment.outcome === 'known' && payment.bankPaymentId !== null
}

/** Whether it is unknown if the bank has accepted the order. */
export function isOutcomeUnknown({ outcome }: Pick<Payment, 'outcome'>): boolean {
  return outcome === 'in-flight' || outcome === 'unknown'
}

/** Whether its exchange can no longer be cancelled by the partner, even if the bank requires another signature. */
export function isExchangeBinding({ exchange, signed }: Pick<Payment, 'exchange' | 'signed'>): boolean {
  return exchange !== null && (signed || isExchangeConfirmed(exchange))
}

/** Whether no further change of the payment is expected. */
export function isFinal(payment: Pick<Payment, 'status' | 'outcome' | 'exchange'>): boolean {
  return isFinalStatus(payment.status) && !isOutcomeUnknown(payment) && !mayStillChange(payment.exchange)
}

/** Whether a user may sign it now: it is unsigned or needs one more signature. */
export function isOpenForSigning(payment: Payment): boolean {
  return isAcknowledged(payment) && permits(payment, 'approve')
}

/**
 * Whether banks usually report this transition. A signed order has passed InProgress even if no poll saw it; an order
 * in progress without a known signature has a bank status unknown to us.
 */
export function isExpectedTransition(from: StatusAndReason & Pick<Payment, 'signed'>, to: StatusAndReason): boolean {
  const isSame = from.status === to.status && statusOrReasonOf(from) === statusOrReasonOf(to)
  const passedStatuses =
    from.signed && from.status === 'Unsigned' ? [from.status, 'InProgress' as const] : [from.status]
  const wasUncertain = !from.signed && from.status === 'InProgress' && to.status === 'Unsigned'
  const next = statusOrReasonOf(to)
  return (
    isSame ||
    wasUncertain ||
    (next !== undefined && passedStatuses.some((status) => statusTable[status].expectedNext.includes(next)))
  )
}

/** Undefined for a status whose required reason is missing. A reason of any other status is irrelevant. */
function statusOrReasonOf({ status, statusReason }: StatusAndReason): StatusOrReason | undefined {
  return status === 'CustomerActionRequired' ? (statusReason ?? undefined) : status
}

/** Returns the status as partners see it. */
export function renderPaymentStatus({
  status,
  statusReason,
  statusReasonText,
  statusAt,
}: Pick<Payment, 'status' | 'statusReason' | 'statusReasonText' | 'statusAt'>): PaymentStatusShown {
  return {
    status,
    ...presentFields({ statusReason, statusReasonText }),
    timestamp: formatTimestamp(statusAt),
  }
}
