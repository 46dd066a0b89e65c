/** What an approval is: one user signing one or several payments. */
import { createHash } from 'node:crypto'
import type { ApprovalStatus } from '../../contract/approvals.ts'
import type { Payment } from '../orders/payment.ts'
import { printAmount } from '../platform/money.ts'
import type { SigningOutcome, SigningStep, StepState } from '../signing/signing.ts'

/** An approval with its payments in order. */
export type Approval = {
  readonly partnerId: string
  readonly id: string
  readonly consentId: string
  readonly status: ApprovalStatus
  readonly createdAt: Temporal.Instant
  readonly payments: readonly ApprovedPayment[]
}

/** One payment of an approval, and what its signature is bound to. */
export type ApprovedPayment = {
  readonly paymentId: string
  readonly bankPaymentId: string
  /** Digest of amount and receiver. */
  readonly orderDigest: string
  /** Whether somebody else had signed it before. */
  readonly partlySigned: boolean
  /** With which basket it is signed; null for one that is signed alone. */
  readonly basketId: string | null
  readonly result: ApprovalStatus
}

/** Which statuses may follow which. */
export const approvalMayBecome: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = {
  STARTED: ['ACCEPTED', 'REJECTED', 'CANCELLED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
}

const statusByOutcome: Readonly<Record<SigningOutcome, ApprovalStatus>> = {
  success: 'ACCEPTED',
  rejected: 'REJECTED',
  cancelled: 'CANCELLED',
}

const outcomeByStatus: Readonly<Record<ApprovalStatus, SigningOutcome>> = {
  STARTED: 'cancelled',
  ACCEPTED: 'success',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
}

/** What a whole comes to is what the worst of its payments came to. */
const WORST_FIRST = ['REJECTED', 'CANCELLED', 'STARTED'] as const satisfies readonly ApprovalStatus[]

const resultByState: Readonly<Record<StepState, ApprovalStatus>> = {
  pending: 'CANCELLED',
  open: 'CANCELLED',
  signed: 'ACCEPTED',
  'signed-late': 'ACCEPTED',
  exempt: 'ACCEPTED',
  refused: 'REJECTED',
  cancelled: 'CANCELLED',
}

/** What an approval comes to when its signing ends. */
export function statusAfter(outcome: SigningOutcome): ApprovalStatus {
  return statusByOutcome[outcome]
}

/** What its user returns to the partner with. */
export function outcomeAfter(status: ApprovalStatus): SigningOutcome {
  return outcomeByStatus[status]
}

/** What an approval comes to by the results of its payments. */
export function statusOfResults(results: readonly ApprovalStatus[]): ApprovalStatus {
  return WORST_FIRST.find((status) => results.includes(status)) ?? 'ACCEPTED'
}

/** What is signed together with a payment: its basket, or itself. */
export function targetOf({ basketId, paymentId }: Pick<ApprovedPayment, 'basketId' | 'paymentId'>): string {
  return basketId ?? paymentId
}

/** What one payment comes to when the signing ends, by its step. */
export function resultOf(step: Pick<SigningStep, 'state'> | undefined): ApprovalStatus {
  return resultByState[step?.state ?? 'pending']
}

/** Digest of what the user saw: if any of it changed, the signature was given for something else. */
export function digestOf({ amount, debtorBban, creditorBban, dueDate }: Payment): string {
  return createHash('sha256')
    .update([printAmount(amount), amount.currency, debtorBban, creditorBban, dueDate.toString()].join('\n'))
    .digest('base64url')
}

/** Whether a payment is still what was shown, under the id the bank had then. */
export function isUnchanged({ bankPaymentId, orderDigest }: ApprovedPayment, payment: Payment): boolean {
  return payment.bankPaymentId === bankPaymentId && digestOf(payment) === orderDigest
}
