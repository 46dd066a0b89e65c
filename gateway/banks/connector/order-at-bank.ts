/** An order at its bank: how it is found there, and what the bank shows and says of it. */
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/shapes.ts'
import type { Money } from '../../platform/money.ts'

/** An order at its bank. The numbers tell how it travels: some banks keep orders apart by that. */
export type PlacedOrder = {
  readonly bankPaymentId: string
  readonly debtorBban: string
  /** As `numberOf` gives it. */
  readonly creditorBban: string
}

export type InitiationRequest = { readonly requestId: string; readonly notification: string }

export type OrderTaken = { readonly bankPaymentId: string; readonly observation: StatusObservation }

/** The parts of an order that a bank shows of it; numbers are domestic ones, and of the kept form where they are the same. */
export type HeldOrder = {
  readonly debtorBban: string | null
  readonly creditorBban: string | null
  /** Of a bulk the sum of its payments. */
  readonly amount: Money | null
  /** Of bulks alone: our id of it, and how many payments it holds; null where the bank does not show them. */
  readonly bulk?: { readonly bulkId: string | null; readonly count: number | null }
}

/** What a bank says of a payment, translated. */
export type StatusObservation = {
  /** Null when the bank used a word that nobody knows: the status stays as it was. */
  readonly status: PaymentStatusValue | null
  readonly statusReason: PaymentStatusReason | null
  readonly statusReasonText: string | null
  /** The bank's own word, e.g. `ACSP`. */
  readonly bankStatus: string
}
