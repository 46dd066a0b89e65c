/** Defines an order of a payroll: its transactions, its bank product and its sealed contents. */
import { createHash } from 'node:crypto'
import type { PayrollRequest, PayrollTransactionRequest } from '../../contract/payrolls/payroll-request.ts'
import { creditorAccountNumber, type DomesticOrder } from '../banks/connector/bank-order.ts'
import { mapYieldingToEventLoop } from '../platform/concurrency.ts'
import type { KeyedDigest } from '../platform/crypto/keyed-digest.ts'

/** The primary key of a payroll. */
export type PayrollKey = { readonly partnerId: string; readonly payrollId: string }

/** A range of transactions of a payroll; positions count from 0. */
export type TransactionRange = { readonly first: number; readonly count: number }

/** The bank product: one bulk order, a file of bulk orders, or one domestic payment per transaction. */
export type PayrollProduct = 'bulk' | 'file' | 'single'

/** The part of an order that is stored without encryption. */
export type PayrollOrdered = TransactionRange & {
  readonly payrollId: string
  readonly as: PayrollProduct
  readonly from: { readonly account: { readonly bban: string }; readonly currency: string }
}

/** The first of these statuses that any part has is the status of the payroll. */
export const PAYROLL_STATUS_PRECEDENCE = [
  'CustomerActionRequired',
  'Unsigned',
  'InProgress',
  'Completed',
  'Rejected',
  'Cancelled',
] as const

/** The sealed part: debtor, purpose and a range of transactions as requested. */
export type PayrollContents = Pick<PayrollRequest, 'from' | 'purposeCode'> & {
  readonly transactions: readonly PayrollTransactionRequest[]
}

/** The number of transactions sealed together. */
export const TRANSACTIONS_PER_CHUNK = 500

/** The purpose to which a sealed chunk is bound. */
export function transactionChunkPurpose({ partnerId, payrollId }: PayrollKey, number: number): string {
  return `payroll slice ${partnerId} ${payrollId} ${number}`
}

/** Returns the id of a bulk order at the bank; 32 characters. */
export function bulkIdOf(paymentId: string): string {
  return paymentId.replaceAll('-', '')
}

/**
 * Returns a digest of what makes orders equal, however a request writes it: the endToEndId, creditor and amount of each
 * transaction. Without our keys creditors cannot be guessed from it. With 43 characters it is never an account number.
 * Yields to the event loop between transactions.
 */
export async function contentDigest(
  digest: KeyedDigest,
  orders: readonly Pick<DomesticOrder, 'endToEndId' | 'creditor' | 'amount'>[],
): Promise<string> {
  const hash = createHash('sha256')
  await mapYieldingToEventLoop(orders, ({ endToEndId, creditor, amount: { minor, currency } }) => {
    hash.update(JSON.stringify([endToEndId, creditorAccountNumber(creditor.account), minor.toString(), currency]))
  })
  return await digest(hash.digest('base64url'), 'payroll order')
}
