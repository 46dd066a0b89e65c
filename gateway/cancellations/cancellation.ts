/** Defines a cancellation: a user's request to cancel one payment, with its status and rules. */
import type { CancellationRequest, CancellationRequestStatus } from '../../contract/cancellations.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentActor } from '../consents/consent.ts'
import { isExchangeBinding, isFinalStatus, type Payment, permits } from '../orders/payment.ts'

/** `REQUESTED` while the bank's answer is unknown; partners see only the other three. */
export type CancellationStatus = 'REQUESTED' | CancellationRequestStatus

export type Cancellation = {
  readonly partnerId: string
  readonly id: string
  readonly paymentId: string
  /** The payroll cancellation that it is a part of; null for a payment. */
  readonly payrollCancellationId: string | null
  readonly bic: string
  /** The consent of the user who cancels, who need not be the one who created the payment. */
  readonly consentId: string
  readonly bankPaymentId: string | null
  /** Whether the payment was signed at the first request to the bank. */
  readonly wasSigned: boolean
  readonly bankRequestId: string
  readonly status: CancellationStatus
  readonly reason: string | null
  readonly createdAt: Temporal.Instant
  /** Wall time. */
  readonly requestedAt: Temporal.Instant
}

/** Which statuses may follow which. */
export const cancellationMayBecome: Readonly<Record<CancellationStatus, readonly CancellationStatus[]>> = {
  REQUESTED: ['AUTHORIZATION_REQUIRED', 'ACCEPTED', 'REJECTED'],
  AUTHORIZATION_REQUIRED: ['ACCEPTED', 'REJECTED'],
  ACCEPTED: [],
  REJECTED: [],
}

export type CancellationEnd = Pick<Cancellation, 'reason'> & { readonly status: 'ACCEPTED' | 'REJECTED' }

/** The decision of the bank, or of the user there. */
export type CancellationDecision = { readonly yes: true } | { readonly yes: false; readonly reason: string }

/** Why the cancellation is rejected without a call to the bank; undefined if the bank decides. */
export function immediateRejectionReason({ name, profile }: Bank, payment: Payment): string | undefined {
  if (!permits(payment, 'cancel')) {
    return `The payment is already ${payment.status}`
  }
  if (isExchangeBinding(payment)) {
    return 'The payment is signed and its currency exchange is binding'
  }
  return profile.products.includes('PAYMENT_CANCEL')
    ? undefined
    : `${name} does not permit third parties to cancel payments`
}

/**
 * The final status, by the bank's decision and the payment's status after it. A cancelled payment means success, whatever
 * caused it; another final status means failure, whatever the decision. A rejection does not count if the bank accepted an
 * earlier cancellation of the order: banks reject repeated ones.
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
    : {
        status: 'ACCEPTED',
        reason: 'The bank accepted the cancellation. The payment becomes Cancelled once the bank reports that',
      }
}

/** Whether the payment was signed or resubmitted after the request to the bank; the user's newer action takes precedence. */
export function wasSuperseded({ wasSigned, bankPaymentId }: Cancellation, payment: Payment): boolean {
  return (payment.signed && !wasSigned) || payment.bankPaymentId !== bankPaymentId
}

/** A validated request to cancel a payment, with its caller and bank. */
export type RequestedCancellation = {
  readonly caller: ConsentActor
  readonly bank: Bank
  readonly payment: Payment
  readonly request: CancellationRequest
  /** Whether an earlier request may have reached the bank and its answer was lost. */
  readonly isRepeated: boolean
}
