/** Defines the cancellation of a payroll: one request that is executed order by order, and the status that results. */

import type { Cancellation, CancellationStatus } from '../../cancellations/cancellation.ts'
import type { AcknowledgedPayment } from '../../orders/payment.ts'
import type { PayrollOrder } from '../../orders/select-payroll-orders.ts'

/** A cancellation of a payroll, with one part for each order that the bank is to cancel. */
export type PayrollCancellation = {
  readonly partnerId: string
  readonly id: string
  readonly payrollId: string
  /** The consent of the user who cancels, who need not be the one who ordered the payroll. */
  readonly consentId: string
  /** A decision without a call to the bank; null if the bank's answers decide. */
  readonly decision: 'ACCEPTED' | 'REJECTED' | null
  /** The reason of the decision, or what is not cancelled although the rest is. */
  readonly reason: string | null
  readonly createdAt: Temporal.Instant
  readonly parts: readonly Cancellation[]
}

/** In order of precedence: the cancellation is answered, or accepted, once each part is. */
const STATUS_PRECEDENCE = [
  'REQUESTED',
  'AUTHORIZATION_REQUIRED',
  'REJECTED',
] as const satisfies readonly CancellationStatus[]

const ACCEPTED_NOT_VISIBLE =
  'The bank accepted the cancellation. The payroll becomes Cancelled once the bank reports that'

/** The status of the cancellation, derived from its parts. */
export function payrollCancellationStatusOf({
  decision,
  parts,
}: Pick<PayrollCancellation, 'decision' | 'parts'>): CancellationStatus {
  return STATUS_PRECEDENCE.find((status) => parts.some((part) => part.status === status)) ?? decision ?? 'ACCEPTED'
}

/** Why the payroll, or how much of it, is not cancelled; null if all of it is. */
export function payrollCancellationReasonOf({
  reason,
  parts,
}: Pick<PayrollCancellation, 'reason' | 'parts'>): string | null {
  const rejected = parts.filter(({ status }) => status === 'REJECTED')
  const [first] = rejected
  if (first !== undefined) {
    return parts.length === 1 ? first.reason : `${rejected.length} of ${parts.length} transactions: ${first.reason}`
  }
  const isShownLater = parts.some((part) => part.status === 'ACCEPTED' && part.reason !== null)
  return reason ?? (isShownLater ? ACCEPTED_NOT_VISIBLE : null)
}

/** A part and the order that it cancels. */
export type OrderCancellation = { readonly part: Cancellation; readonly order: PayrollOrder & AcknowledgedPayment }
