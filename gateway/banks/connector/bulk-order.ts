/** Types of a bulk payment: many payments from one account on one day, submitted as one order and signed once. */
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { DomesticOrder } from './domestic-order.ts'
import type { InitiationResult, StatusObservation } from './order-at-bank.ts'

/** A bulk as submitted to a bank; its payments use account numbers, never giro numbers or payment forms. */
export type BulkOrder = {
  /** Our id, at most 35 characters; banks that return it confirm which bulk they hold. */
  readonly bulkId: string
  readonly debtor: DomesticOrder['debtor']
  readonly dueDate: Temporal.PlainDate
  /** Requests one debit for the whole bulk; honoured where the bank's profile supports it. */
  readonly batchBooking: boolean
  readonly payments: readonly BulkTransaction[]
}

export type BulkTransaction = Pick<DomesticOrder, 'endToEndId' | 'creditor' | 'amount' | 'remittance' | 'purposeCode'>

export type BulkInitiationResult = InitiationResult & {
  /** The bank's id of each payment by position, where the bank returns them on initiation. */
  readonly elementIds?: readonly (string | null)[]
}

/** The stored state of a bulk before a status request; all payments by position, from 0. */
export type KnownBulk = { readonly signed: boolean; readonly elements: readonly KnownBulkTransaction[] }

/** The stored state of one payment of a bulk. */
export type KnownBulkTransaction = {
  readonly endToEndId: string
  readonly elementId: string | null
  /** Its own last observed status; null while only the bulk's status is known. Final ones are not requested again. */
  readonly status: PaymentStatusValue | null
  /** When it was observed; where payments are read one by one, the least recently read come first. */
  readonly readAt: Temporal.Instant | null
}

/**
 * The reported status of a bulk. Without `elements` the status applies to all payments, whatever was observed of them
 * before. With `elements` it is derived from all payments: open while one of them is open.
 */
export type BulkObservation = StatusObservation & {
  /** The payments in this report, by ascending position; the others keep their stored state. */
  readonly elements?: readonly BulkTransactionObservation[]
}

export type BulkTransactionObservation = StatusObservation & {
  /** Index in the submitted bulk, from 0. */
  readonly position: number
  /** The bank's id of the payment, where it has one. */
  readonly elementId: string | null
}
