/** What the cancellation of a payroll is: one wish, carried out order by order, and what that comes to. */

import type { HeldPayment } from '../../orders/payment.ts'
import type { PayrollOrder } from '../../orders/payroll/select-payroll-orders.ts'
import type { Cancellation, CancellationStatus } from '../cancellation.ts'

/** A cancellation of a payroll with one part for each order that its bank is asked to withdraw. */
export type PayrollCancellation = {
  readonly partnerId: string
  readonly id: string
  readonly payrollId: string
  /** Whose user wants it, who need not have ordered the payroll. */
  readonly consentId: string
  /** What was said without a bank being asked; null where its answers decide. */
  readonly verdict: 'ACCEPTED' | 'REJECTED' | null
  /** Why it is so, or what is not cancelled though the rest is. */
  readonly reason: string | null
  readonly createdAt: Temporal.Instant
  readonly parts: readonly Cancellation[]
}

/** A whole is answered once each of its parts is, and accepted once each of them is. */
const FIRST = ['ASKED', 'AUTHORIZATION_REQUIRED', 'REJECTED'] as const satisfies readonly CancellationStatus[]

const TAKEN = 'The bank took the cancellation; the payroll is Cancelled once it shows that'

/** What the whole comes to by its parts. */
export function statusOfWhole({ verdict, parts }: Pick<PayrollCancellation, 'verdict' | 'parts'>): CancellationStatus {
  return FIRST.find((status) => parts.some((part) => part.status === status)) ?? verdict ?? 'ACCEPTED'
}

/** Why the whole, or how much of it, is not cancelled; null where there is nothing to say. */
export function reasonOfWhole({ reason, parts }: Pick<PayrollCancellation, 'reason' | 'parts'>): string | null {
  const rejected = parts.filter(({ status }) => status === 'REJECTED')
  const [first] = rejected
  if (first !== undefined) {
    return parts.length === 1 ? first.reason : `${rejected.length} of ${parts.length} payouts: ${first.reason}`
  }
  const isShownLater = parts.some((part) => part.status === 'ACCEPTED' && part.reason !== null)
  return reason ?? (isShownLater ? TAKEN : null)
}

/** One part, and the order that it withdraws. */
export type PartOfWhole = { readonly part: Cancellation; readonly order: PayrollOrder & HeldPayment }
