/** Types of a submitted order: its identification, content and status at the bank. */
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Money } from '../../platform/money.ts'

/** A submitted order. The numbers determine its rail, which is part of the URL at some banks. */
export type SubmittedOrder = {
  readonly bankPaymentId: string
  readonly debtorBban: string
  /** As `creditorAccountNumber` returns it. */
  readonly creditorBban: string
}

export type InitiationRequest = { readonly requestId: string; readonly notification: string }

export type InitiationResult = { readonly bankPaymentId: string; readonly observation: StatusObservation }

/** The content of an order as the bank shows it; numbers are domestic, in the stored form where they are equal. */
export type OrderShownByBank = {
  readonly debtorBban: string | null
  readonly creditorBban: string | null
  /** For a bulk the total of its payments. */
  readonly amount: Money | null
  /** For bulks only: our id and the number of payments; null where the bank does not show them. */
  readonly bulk?: { readonly bulkId: string | null; readonly count: number | null }
}

/** The reported status of a payment, translated. */
export type StatusObservation = {
  /** Null for an unknown status code: the stored status stays. */
  readonly status: PaymentStatusValue | null
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  /** The bank's own code, e.g. `ACSP`. */
  readonly bankStatus: string
}
