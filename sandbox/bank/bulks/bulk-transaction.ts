/** What one payment in a bulk is: it shares the bulk's status until the bulk is carried out, and has its own from then on. */
import type { Selectable } from 'kysely'
import type { Json, OptionalTimestamp } from '../column-types.ts'
import type { Rail } from '../fixture.ts'
import { isOver, isUnwanted, type Payment, shownStatus, type TransactionStatus } from '../payments/payment.ts'

/** One payment in a bulk. */
export type BulkElementTable = {
  bulk_id: string
  /** From zero, in the order of the bulk. */
  position: number
  id: string
  body: Json<Record<string, unknown>>
  rail: Rail
  creditor: string
  creditor_name: string
  amount_minor: bigint
  message: string | null
  reference: string | null
  /** Null while it shares the bulk's. */
  status: TransactionStatus | null
  status_text: string | null
  /** Steps taken of what happens to it once the bulk is carried out. */
  script_step: number
  due_at: OptionalTimestamp
}

export type Element = Selectable<BulkElementTable>

/** Whether an order at the bank is one of many payments. */
export function isBulk({ bulk_size: size }: Pick<Payment, 'bulk_size'>): boolean {
  return size !== null
}

/** How many payments an order is, in words for people. */
export function sizeText(size: number): string {
  return size === 1 ? '1 payment' : `${size} payments`
}

/** What third parties see of one, where they see anything. */
export function shownElementStatus(
  bulk: Pick<Payment, 'status' | 'last_visible'>,
  { status }: Pick<Element, 'status'>,
): TransactionStatus {
  return shownStatus({ ...bulk, status: status ?? (bulk.status === 'PART' ? 'ACSP' : bulk.status) })
}

/** What the payments in a bulk make of it, once it was carried out. */
export function statusOfBulk(statuses: readonly TransactionStatus[]): TransactionStatus {
  if (statuses.every(isUnwanted)) {
    return statuses.includes('RJCT') ? 'RJCT' : 'CANC'
  }
  if (statuses.some(isUnwanted)) {
    return 'PART'
  }
  return statuses.every(isOver) ? 'ACSC' : 'ACSP'
}
