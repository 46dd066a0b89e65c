/** A payment at the bank: its statuses, and the operations that each permits. */

import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Day, Json, OptionalTimestamp, Timestamp } from '../column-types.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { isExecuting, isWaitingStatus, type TransactionStatus } from '../xs2a/transaction-status.ts'
import type { OriginColumns } from '../xs2a/xs2a-call.ts'

/** The service of the standard by which it was ordered. */
export type OrderService = 'payments' | 'bulk-payments'

export type PaymentTable = OriginColumns & {
  position: Generated<bigint>
  id: string
  bank: string
  service: OrderService
  product: string
  body: Json<Record<string, unknown>>
  debtor: string
  /** The payment rail, which determines the kind of number in `creditor`. */
  rail: Rail
  creditor: string
  creditor_name: string
  amount_minor: bigint
  currency: string
  message: string | null
  reference: string | null
  /** The requested day; null in rows older than this column. */
  requested_on: ColumnType<Temporal.PlainDate | null, string | null, string | null>
  execution_on: Day
  status: TransactionStatus
  /** The last status of a successful payment that third parties see. */
  last_visible: BankProfile['lastVisible']
  status_text: string | null
  funds_available: boolean | null
  /** Whether it expired unsigned. */
  lapsed: boolean
  request_id: string
  created_at: Timestamp
  changed_at: Timestamp
  /** When the last required signature was given. */
  signed_at: OptionalTimestamp
  /** When a payment without funds is rejected. */
  funds_deadline_at: OptionalTimestamp
  due_at: OptionalTimestamp
  /** The number of executed script steps; null without a script. */
  script_step: number | null
  /** When signatures were revoked; earlier ones no longer count. */
  signatures_revoked_at: OptionalTimestamp
  /** The basket it is signed with; null when it is signed alone. */
  basket_id: string | null
  /** The number of payments in a bulk, in which case `creditor` is a digest of them. Null for a single payment. */
  bulk_size: number | null
}

export type Payment = Selectable<PaymentTable>

/** The status for third parties: some banks hide the statuses after acceptance, unless the payment fails. */
export function shownStatus({
  status,
  last_visible: last,
}: Pick<Payment, 'status' | 'last_visible'>): TransactionStatus {
  const isSettled = status === 'ACSC' || status === 'ACCC'
  if (last === 'settled' || !(isSettled || isExecuting(status))) {
    return status
  }
  return last
}

export function maySign(payment: Payment): boolean {
  return payment.signed_at === null && isWaitingStatus(payment.status)
}

/** Whether the payment can still be cancelled, and if so before or after it was authorised. */
export function cancellability(payment: Payment): 'unsigned' | 'signed' | 'never' {
  if (!isWaitingStatus(payment.status)) {
    return 'never'
  }
  return payment.signed_at === null ? 'unsigned' : 'signed'
}

/** The path of an order, below `/v1`. */
export function paymentPath({ service, product, id }: Pick<Payment, 'service' | 'product' | 'id'>): string {
  return `/${service}/${product}/${id}`
}

/** The end-to-end id of an order, where it has one. */
export function endToEndIdOf({ body }: { readonly body: Readonly<Record<string, unknown>> }): string | null {
  const given = body['endToEndIdentification']
  return typeof given === 'string' ? given : null
}
