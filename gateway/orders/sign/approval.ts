/** Defines an approval: one user signs one or several payments. */
import type { ApprovalStatus } from '../../../contract/approvals.ts'
import type { ScaOutcome, ScaStep, ScaStepState } from '../../authorisations/sca-session.ts'
import type { KeyedDigest } from '../../platform/crypto/keyed-digest.ts'
import { formatAmount } from '../../platform/money.ts'
import type { AcknowledgedPayment, Payment } from '../payment.ts'
import type { PlannedScaStep } from './plan-sca-steps.ts'

export type Approval = {
  readonly partnerId: string
  readonly id: string
  readonly consentId: string
  readonly status: ApprovalStatus
  readonly createdAt: Temporal.Instant
  readonly payments: readonly ApprovedPayment[]
}

/** A payment of an approval, with the data to which the signature is bound. */
export type ApprovedPayment = {
  readonly paymentId: string
  readonly bankPaymentId: string
  /** See `orderDigestOf`. */
  readonly orderDigest: string
  /** Whether another user had signed it before. */
  readonly partlySigned: boolean
  /** The basket with which it is signed; null if it is signed separately. */
  readonly basketId: string | null
  readonly result: ApprovalStatus
}

/** What is approved, by whom, and how it is signed. */
export type PlannedApproval = Pick<Approval, 'partnerId' | 'id' | 'consentId' | 'createdAt'> & {
  /** All requested payments, in request order. */
  readonly requested: readonly AcknowledgedPayment[]
  readonly scaExemptIds: ReadonlySet<string>
  /** Empty if all payments are SCA-exempt. */
  readonly steps: readonly PlannedScaStep[]
}

/** A new approval; it is accepted if no payment is to be signed. */
export async function newApproval(
  digest: KeyedDigest,
  { requested, scaExemptIds, steps, ...key }: PlannedApproval,
): Promise<Approval> {
  const basketIdByPayment = new Map(
    steps.flatMap(({ basketId, payments }) => payments.map((payment) => [payment.id, basketId])),
  )
  return {
    ...key,
    status: steps.length === 0 ? 'ACCEPTED' : 'STARTED',
    payments: await Promise.all(
      requested.map(async (payment) => ({
        paymentId: payment.id,
        bankPaymentId: payment.bankPaymentId,
        orderDigest: await orderDigestOf(digest, payment),
        partlySigned: payment.statusReason === 'PartlySigned',
        basketId: basketIdByPayment.get(payment.id) ?? null,
        result: scaExemptIds.has(payment.id) ? ('ACCEPTED' as const) : ('STARTED' as const),
      })),
    ),
  }
}

/** Which statuses may follow which. */
export const approvalMayBecome: Readonly<Record<ApprovalStatus, readonly ApprovalStatus[]>> = {
  STARTED: ['ACCEPTED', 'REJECTED', 'CANCELLED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
}

export const statusByOutcome: Readonly<Record<ScaOutcome, ApprovalStatus>> = {
  success: 'ACCEPTED',
  rejected: 'REJECTED',
  cancelled: 'CANCELLED',
}

/** The outcome with which the user is redirected to the partner. */
export const outcomeByStatus: Readonly<Record<ApprovalStatus, ScaOutcome>> = {
  STARTED: 'cancelled',
  ACCEPTED: 'success',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
}

/** The worst result of a payment determines the status of the approval. */
const STATUS_PRECEDENCE = ['REJECTED', 'CANCELLED', 'STARTED'] as const satisfies readonly ApprovalStatus[]

const resultByState: Readonly<Record<ScaStepState, ApprovalStatus>> = {
  pending: 'CANCELLED',
  open: 'CANCELLED',
  signed: 'ACCEPTED',
  'signed-late': 'ACCEPTED',
  exempt: 'ACCEPTED',
  rejected: 'REJECTED',
  cancelled: 'CANCELLED',
}

export function statusOfResults(results: readonly ApprovalStatus[]): ApprovalStatus {
  return STATUS_PRECEDENCE.find((status) => results.includes(status)) ?? 'ACCEPTED'
}

/** The SCA target of a payment: its basket, or the payment itself. */
export function scaTargetIdOf({ basketId, paymentId }: Pick<ApprovedPayment, 'basketId' | 'paymentId'>): string {
  return basketId ?? paymentId
}

/** The result of a payment, by the final state of its SCA step. */
export function approvalResultOf(step: Pick<ScaStep, 'state'> | undefined): ApprovalStatus {
  return resultByState[step?.state ?? 'pending']
}

/** By when the first of these must be signed; null where no exchange waits for a signature. */
export function signingDeadlineOf(payments: readonly Payment[]): Temporal.Instant | null {
  const deadlines = payments.flatMap(({ exchange, deadlineAt }) =>
    exchange === 'unsigned' && deadlineAt !== null ? [deadlineAt] : [],
  )
  return deadlines.toSorted(Temporal.Instant.compare)[0] ?? null
}

/** Digest of what the user saw: if any of it changes, the signature does not apply. */
export async function orderDigestOf(
  digest: KeyedDigest,
  { amount, debtorBban, creditorBban, dueDate }: Payment,
): Promise<string> {
  const shown = [formatAmount(amount), amount.currency, debtorBban, creditorBban, dueDate.toString()]
  return await digest(shown.join('\n'), 'approved order')
}

/** Whether a payment still has the shown data and the same id at the bank. */
export async function isUnchanged(
  digest: KeyedDigest,
  { bankPaymentId, orderDigest }: ApprovedPayment,
  payment: Payment,
): Promise<boolean> {
  return payment.bankPaymentId === bankPaymentId && (await orderDigestOf(digest, payment)) === orderDigest
}
