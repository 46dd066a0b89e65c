/** What a payment is: an order, what its bank says of it, what is usual, and what we may do in each status. */
import type { DomesticPayment } from '../../contract/domestic-payment.ts'
import type {
  PaymentStatusReason,
  PaymentStatus as PaymentStatusShown,
  PaymentStatusValue,
} from '../../contract/shapes.ts'
import type { Money } from '../foundation/money.ts'

/** Whether we know that the bank took the order: `void` orders were certainly never taken. */
export type Outcome = 'asked' | 'known' | 'unknown' | 'void'

/** A payment as it is kept. */
export type Payment = {
  readonly partnerId: string
  readonly id: string
  readonly type: 'Domestic'
  readonly consentId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly endToEndId: string
  readonly amount: Money
  readonly debtorBban: string
  readonly creditorBban: string
  readonly dueDate: Temporal.PlainDate
  /** The order exactly as it was asked. */
  readonly ordered: DomesticPayment
  readonly outcome: Outcome
  readonly bankRequestId: string
  readonly bankPaymentId: string | null
  readonly status: PaymentStatusValue
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  readonly bankStatus: string | null
  /** Whether every signature that we know to be needed was given. */
  readonly signed: boolean
  readonly createdAt: Temporal.Instant
  /** The last successful read at the bank. */
  readonly statusAt: Temporal.Instant
  readonly changedAt: Temporal.Instant
  /** Wall time of the bank's last hint. */
  readonly hintedAt: Temporal.Instant | null
  readonly pollAt: Temporal.Instant | null
  readonly pollStep: number
  /** Since when the bank could not be read; null when the last attempt went well. */
  readonly unreadSince: Temporal.Instant | null
  /** When the present status, a final one, was first reported. */
  readonly finalSince: Temporal.Instant | null
}

/** A payment that its bank holds. */
export type HeldPayment = Payment & { readonly bankPaymentId: string }

/** What we may start in a status, and which statuses usually follow; anything else is recorded and raised. */
type StatusRow = {
  readonly final: boolean
  readonly approve: boolean
  readonly usuallyNext: readonly PaymentStatusValue[]
}

const FINAL = ['Completed', 'Rejected', 'Cancelled'] as const

/** The status table of the interface's decisions. */
export const statusTable: Readonly<Record<PaymentStatusValue, StatusRow>> = {
  Unsigned: { final: false, approve: true, usuallyNext: ['InProgress', 'CustomerActionRequired', ...FINAL] },
  CustomerActionRequired: { final: false, approve: false, usuallyNext: ['Unsigned', 'InProgress', ...FINAL] },
  InProgress: { final: false, approve: false, usuallyNext: ['CustomerActionRequired', ...FINAL] },
  Completed: { final: true, approve: false, usuallyNext: ['Rejected'] },
  Rejected: { final: true, approve: false, usuallyNext: [] },
  Cancelled: { final: true, approve: false, usuallyNext: [] },
}

/** Whether the bank holds the order for certain. */
export function isHeld(payment: Payment): payment is HeldPayment {
  return payment.outcome === 'known' && payment.bankPaymentId !== null
}

/** Whether the bank may or may not hold the order. */
export function isOutcomeUnknown({ outcome }: Pick<Payment, 'outcome'>): boolean {
  return outcome === 'asked' || outcome === 'unknown'
}

/** Whether the status is expected to stay. */
export function isFinal(payment: Pick<Payment, 'status' | 'outcome'>): boolean {
  return statusTable[payment.status].final && !isOutcomeUnknown(payment)
}

/** Whether a user may sign it now: unsigned, or waiting for one more signature. */
export function isOpenForSigning(payment: Payment): boolean {
  const mayBeSigned = statusTable[payment.status].approve || payment.statusReason === 'PartlySigned'
  return isHeld(payment) && mayBeSigned
}

/** Whether a change of status is one that banks usually report. */
export function isUsualChange(from: PaymentStatusValue, to: PaymentStatusValue): boolean {
  return from === to || statusTable[from].usuallyNext.includes(to)
}

/** The status as partners see it. */
export function shownStatus(payment: {
  readonly status: PaymentStatusValue
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  readonly statusAt: Temporal.Instant
}): PaymentStatusShown {
  const { status, statusReason, statusReasonText, statusAt } = payment
  return {
    status,
    ...(statusReason === null ? {} : { statusReason }),
    ...(statusReasonText === null ? {} : { statusReasonText }),
    timestamp: statusAt.toString(),
  }
}
