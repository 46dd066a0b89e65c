/** One payment in a bulk: it shares the bulk's status until execution, and has its own afterwards. */

import type { Selectable } from 'kysely'
import type { Json, OptionalTimestamp } from '../column-types.ts'
import type { Rail } from '../fixture.ts'
import { isFinalStatus, isRejectedOrCancelled, type TransactionStatus } from '../xs2a/transaction-status.ts'
import { type Payment, shownStatus } from './payment.ts'

export type BulkTransactionTable = {
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
  /** Null while it has the bulk's status. */
  status: TransactionStatus | null
  status_text: string | null
  /** The number of scripted steps executed since the bulk was executed. */
  script_step: number
  due_at: OptionalTimestamp
}

export type BulkTransaction = Selectable<BulkTransactionTable>

export function isBulk({ bulk_size: size }: Pick<Payment, 'bulk_size'>): boolean {
  return size !== null
}

/** The number of payments in an order, as text. */
export function sizeText(size: number): string {
  return size === 1 ? '1 payment' : `${size} payments`
}

/** The status of a payment for third parties, where they see one. */
export function shownTransactionStatus(
  bulk: Pick<Payment, 'status' | 'last_visible'>,
  { status }: Pick<BulkTransaction, 'status'>,
): TransactionStatus {
  return shownStatus({ ...bulk, status: status ?? (bulk.status === 'PART' ? 'ACSP' : bulk.status) })
}

/** The status of an executed bulk, derived from its payments. */
export function statusOfBulk(statuses: readonly TransactionStatus[]): TransactionStatus {
  if (statuses.every(isRejectedOrCancelled)) {
    return statuses.includes('RJCT') ? 'RJCT' : 'CANC'
  }
  if (statuses.some(isRejectedOrCancelled)) {
    return 'PART'
  }
  return statuses.every(isFinalStatus) ? 'ACSC' : 'ACSP'
}
