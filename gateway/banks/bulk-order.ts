/** What a bulk is: many payments of one account on one day, handed to a bank as one order and signed once. */
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import type { DomesticOrder } from './connector/domestic-order.ts'
import type { OrderTaken, StatusObservation } from './connector/order-at-bank.ts'

/** A bulk as it is handed to a bank; its payments go by account numbers, never by giro numbers or forms. */
export type BulkOrder = {
  /** Ours, 35 characters at most; banks that show it again prove by it which bulk they hold. */
  readonly bulkId: string
  readonly debtor: DomesticOrder['debtor']
  readonly dueDate: Temporal.PlainDate
  /** Whether the account is to be debited in one sum; a wish, heard where the bank's profile says so. */
  readonly batchBooking: boolean
  readonly payments: readonly BulkElement[]
}

/** One payment of a bulk. */
export type BulkElement = Pick<DomesticOrder, 'endToEndId' | 'creditor' | 'amount' | 'remittance' | 'purposeCode'>

export type BulkTaken = OrderTaken & {
  /** The bank's id of each payment by position, where it tells them at once. */
  readonly elementIds?: readonly (string | null)[]
}

/** What is known of a bulk before it is read; its payments by position, all of them, from 0. */
export type KnownBulk = { readonly signed: boolean; readonly elements: readonly KnownElement[] }

/** What is known of one payment of a bulk. */
export type KnownElement = {
  readonly endToEndId: string
  readonly elementId: string | null
  /** As it was last observed by itself; null while the bulk alone has spoken for it. A final one is not asked about again. */
  readonly status: PaymentStatusValue | null
  /** When that was; those never or longest unread come first where a bank is asked about each payment by itself. */
  readonly readAt: Temporal.Instant | null
}

/**
 * What a bank says of a bulk. Without `elements` the bulk's status is that of all its payments, whatever was observed
 * of them before. With them, it is drawn from all that is known of its payments: open while one of them is.
 */
export type BulkObservation = StatusObservation & {
  /** The payments that the bank told about now, by rising position; the others stay as they are known. */
  readonly elements?: readonly ElementObservation[]
}

export type ElementObservation = StatusObservation & {
  /** Place in the bulk as it was ordered, from 0. */
  readonly position: number
  /** The bank's id of it, where it has one. */
  readonly elementId: string | null
}
