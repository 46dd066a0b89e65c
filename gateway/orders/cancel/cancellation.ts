/** Defines a cancellation: a user's request to cancel the orders of a payment or a payroll, with its status and rules. */

import type { CancellationRequestStatus } from '../../../contract/cancellations.ts'
import type { PreferredScaMethod } from '../../../contract/shapes.ts'
import type { SummaryItem } from '../../authorisations/signature-summary.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { ConsentActor } from '../../consents/consent.ts'
import type { NamedOrder } from '../../platform/http/errors/api-error.ts'
import type { Instruction } from '../instruction.ts'
import { type AcknowledgedPayment, isFinalStatus, type Payment } from '../payment.ts'

/** `REQUESTED` while an answer of the bank is unknown; partners see only the other three. */
export type CancellationStatus = 'REQUESTED' | CancellationRequestStatus

/** What a user cancels as one: a payment is one order, a payroll one or more. */
export type CancelledKind = Instruction['noun']

/** A cancellation with a part for each order that the bank is to cancel. */
export type Cancellation = {
  readonly partnerId: string
  readonly id: string
  readonly kind: CancelledKind
  /** The id of the payment or payroll. */
  readonly instructionId: string
  /** The consent of the user who cancels, who need not be the one who ordered it. */
  readonly consentId: string
  /** A decision without a call to the bank; null if the parts decide. */
  readonly decision: 'ACCEPTED' | 'REJECTED' | null
  /** The reason of the decision, or what is not cancelled although the rest is. */
  readonly reason: string | null
  readonly createdAt: Temporal.Instant
  readonly parts: readonly CancellationPart[]
}

/** The cancellation of one order; that of a payment has the id of the whole. */
export type CancellationPart = {
  readonly partnerId: string
  readonly id: string
  readonly kind: CancelledKind
  /** The order. */
  readonly paymentId: string
  readonly bic: string
  /** The consent of the user who requested it last. */
  readonly consentId: string
  readonly bankPaymentId: string | null
  /** Whether the order was signed at the first request to the bank. */
  readonly wasSigned: boolean
  readonly bankRequestId: string
  readonly status: CancellationStatus
  readonly reason: string | null
  /** Wall time. */
  readonly requestedAt: Temporal.Instant
}

/** A part and the order that it cancels. */
export type OrderCancellation = { readonly part: CancellationPart; readonly order: AcknowledgedPayment }

/** A payment or payroll that the user may cancel. */
export type CancellableInstruction = {
  readonly partnerId: string
  readonly id: string
  readonly kind: CancelledKind
  readonly orders: readonly Payment[]
  /** Those of which a new cancellation has a part. */
  readonly toCancel: readonly Payment[]
  /** Decided without a call to the bank; null if the bank decides. */
  readonly decision: Cancellation['decision']
  readonly reason: string | null
  /** What the audit log says of a new cancellation, apart from its ids. */
  readonly audited: Readonly<Record<string, number | string>>
  /** Renders orders whose cancellation is signed together for their user. */
  readonly show: (orders: readonly Payment[]) => Promise<readonly SummaryItem[]>
}

/** A user's request. */
export type CancellationRequest = {
  readonly caller: ConsentActor
  readonly bank: Bank
  readonly callbackUrl: string
  readonly preferredScaMethod?: PreferredScaMethod | undefined
  /** Whether the partner can show a QR code; otherwise SCA is on our page behind the link. */
  readonly codeForPartner: boolean
}

/** A request, what it cancels, and until when, in wall time, the user waits; a sweep requests what is left then. */
export type RequestedCancellation = CancellationRequest & {
  readonly instruction: CancellableInstruction
  /** Finds and checks it again, under the leases: an approval that ended meanwhile may have changed its orders. */
  readonly findAgain: () => Promise<CancellableInstruction>
  readonly userWaitsUntil: Temporal.Instant
}

/** For how many of its orders the bank has answered. */
export type CancellationProgress = { readonly answered: number; readonly orders: number }

type CancellationTerms = {
  readonly path: string
  readonly named: (id: string) => NamedOrder
  /** What is unknown while the bank's answer is. */
  readonly unanswered: (progress: CancellationProgress) => string
  /** What has happened where it cannot be abandoned any more. */
  readonly executed: string
  /** How long to wait for another request in progress. */
  readonly joinWaitMilliseconds: number
  readonly giveUpAfter: Temporal.DurationLike
  /** Whether the recovery waits while a user signs the order, instead of ending. */
  readonly waitsForSigners: boolean
}

/** How cancellations of payments and of payrolls differ. */
export const cancellationTerms: Readonly<Record<CancelledKind, CancellationTerms>> = {
  payment: {
    path: '/api/v2/payments/cancel',
    named: (paymentId) => ({ paymentId }),
    unanswered: () => 'it may or may not cancel the payment',
    executed: 'The cancellation was executed and cannot be abandoned',
    /** Most banks answer within this time. */
    joinWaitMilliseconds: 10_000,
    /** No user waits longer; the user can request it again. */
    giveUpAfter: { minutes: 15 },
    waitsForSigners: false,
  },
  payroll: {
    path: '/api/v2/payroll/cancel',
    named: (payrollId) => ({ payrollId }),
    unanswered: ({ answered, orders }) => `it has answered for ${answered} of ${orders} orders of the payroll`,
    executed: 'Orders of the payroll were cancelled already',
    /** The response has room for the progress. */
    joinWaitMilliseconds: 0,
    /** A bank may need that long for a thousand orders, and orders that are not cancelled may be paid. */
    giveUpAfter: { hours: 2 },
    /** A payroll should not be cancelled partly. */
    waitsForSigners: true,
  },
}

/** Which statuses of a part may follow which. */
export const cancellationMayBecome: Readonly<Record<CancellationStatus, readonly CancellationStatus[]>> = {
  REQUESTED: ['AUTHORIZATION_REQUIRED', 'ACCEPTED', 'REJECTED'],
  AUTHORIZATION_REQUIRED: ['ACCEPTED', 'REJECTED'],
  ACCEPTED: [],
  REJECTED: [],
}

/** In order of precedence: a cancellation is answered, or accepted, once each part is. */
const STATUS_PRECEDENCE = ['REQUESTED', 'AUTHORIZATION_REQUIRED', 'REJECTED'] as const

/** The status of the whole. */
export function statusOfCancellation({
  decision,
  parts,
}: Pick<Cancellation, 'decision' | 'parts'>): CancellationStatus {
  return STATUS_PRECEDENCE.find((status) => parts.some((part) => part.status === status)) ?? decision ?? 'ACCEPTED'
}

export function progressOf({ parts }: Pick<Cancellation, 'parts'>): CancellationProgress {
  return { answered: parts.filter(({ status }) => status !== 'REQUESTED').length, orders: parts.length }
}

/** Why it, or how much of it, is not cancelled; null if all of it is. */
export function reasonOfCancellation({
  kind,
  reason,
  parts,
}: Pick<Cancellation, 'kind' | 'reason' | 'parts'>): string | null {
  const rejected = parts.filter(({ status }) => status === 'REJECTED')
  const [first] = rejected
  if (first !== undefined) {
    return parts.length === 1 ? first.reason : `${rejected.length} of ${parts.length} transactions: ${first.reason}`
  }
  const isShownLater = parts.some((part) => part.status === 'ACCEPTED' && part.reason !== null)
  return reason ?? (isShownLater ? shownLater(kind) : null)
}

function shownLater(kind: CancelledKind): string {
  return `The bank accepted the cancellation. The ${kind} becomes Cancelled once the bank reports that`
}

/** Why the bank is not asked; undefined if it cancels for third parties. */
export function unsupportedReason({ name, profile }: Bank, kind: CancelledKind): string | undefined {
  return profile.products.includes('PAYMENT_CANCEL')
    ? undefined
    : `${name} does not permit third parties to cancel ${kind}s`
}

export type CancellationEnd = Pick<CancellationPart, 'reason'> & { readonly status: 'ACCEPTED' | 'REJECTED' }

/** The decision of the bank, or of the user there. */
export type CancellationDecision = { readonly yes: true } | { readonly yes: false; readonly reason: string }

/**
 * The final status of a part, by the bank's decision and the order's status after it. A cancelled order means success,
 * whatever caused it; another final status means failure, whatever the decision. A rejection does not count if the bank
 * accepted an earlier cancellation of the order: banks reject repeated ones.
 */
export function cancellationEndOf(
  decision: CancellationDecision,
  { status, signed, cancellationAcceptedAt }: Pick<Payment, 'status' | 'signed' | 'cancellationAcceptedAt'>,
): CancellationEnd {
  if (status === 'Cancelled') {
    return { status: 'ACCEPTED', reason: null }
  }
  if (!decision.yes && (signed || cancellationAcceptedAt === null)) {
    return { status: 'REJECTED', reason: decision.reason }
  }
  return isFinalStatus(status)
    ? { status: 'REJECTED', reason: `The bank accepted the cancellation, but the payment was ${status} before` }
    : { status: 'ACCEPTED', reason: shownLater('payment') }
}

/** Whether the order was signed or resubmitted after the request to the bank; the user's newer action takes precedence. */
export function wasSuperseded({ wasSigned, bankPaymentId }: CancellationPart, order: Payment): boolean {
  return (order.signed && !wasSigned) || order.bankPaymentId !== bankPaymentId
}
