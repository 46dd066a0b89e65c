/** What one payment in a bulk is: it shares the bulk's status until the bulk is carried out, and has its own from then on. */
import type { Selectable } from 'kysely'
import { isOver, isUnwanted, type Payment, shownStatus, type TransactionStatus } from '../payments/payment.ts'
import type { BulkElementTable } from '../tables.ts'

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
