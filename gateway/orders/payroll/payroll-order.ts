/** What an order of a payroll is: which payouts it carries, as what its bank is told them, and what of it is sealed. */
import { createHash } from 'node:crypto'
import type { PayrollAsked, PayrollTransactionAsked } from '../../../contract/payrolls/payroll-request.ts'
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'
import { mapLettingOthersIn } from '../../platform/yield-to-event-loop.ts'

/** What identifies a payroll. */
export type PayrollKey = { readonly partnerId: string; readonly payrollId: string }

/** A run of payouts of a payroll; positions count from 0. */
export type PayoutRange = { readonly first: number; readonly count: number }

/** As what a bank is told payouts: one order for all of them, a file of such, or a domestic payment each. */
export type PayrollProduct = 'bulk' | 'file' | 'single'

/** What is kept in the open of an order. */
export type PayrollOrdered = PayoutRange & {
  readonly payrollId: string
  readonly as: PayrollProduct
  readonly from: { readonly account: { readonly bban: string }; readonly currency: string }
}

/** Of the statuses of the parts, the one that comes first here is that of the whole. */
export const WHOLE_STATUS_ORDER = [
  'CustomerActionRequired',
  'Unsigned',
  'InProgress',
  'Completed',
  'Rejected',
  'Cancelled',
] as const

/** What is sealed: who pays, why, and a run of payouts as they were ordered. */
export type PayrollContents = Pick<PayrollAsked, 'from' | 'purposeCode'> & {
  readonly transactions: readonly PayrollTransactionAsked[]
}

/** What is kept in the open of an order of these payouts. */
export function payoutsOrdered(
  { payrollId, debtorBban: bban, currency }: Pick<PayrollKey, 'payrollId'> & { debtorBban: string; currency: string },
  { first, count }: PayoutRange,
  as: PayrollProduct,
): PayrollOrdered {
  return { payrollId, first, count, as, from: { account: { bban }, currency } }
}

/** So many payouts are sealed together. */
export const SLICE_PAYOUTS = 500

/** What a sealed slice is bound to. */
export function slicePurpose({ partnerId, payrollId }: PayrollKey, number: number): string {
  return `payroll slice ${partnerId} ${payrollId} ${number}`
}

/** What an order of payouts is searched by: the first one's endToEndId. */
export function endToEndIdOf({ transactions: [first] }: Pick<PayrollContents, 'transactions'>): string {
  return first?.metadata.endToEndId ?? ''
}

/** What a bank knows the order of many payouts by; 32 characters. */
export function bulkIdOf(paymentId: string): string {
  return paymentId.replaceAll('-', '')
}

/**
 * Stands for what payouts order: account, receivers, amounts and references, whatever the day. Equal orders have equal
 * digests, and nobody without our keys can try receivers out on them. Never taken for an account number: 43 characters.
 * Others are let in between payouts.
 */
export async function contentDigest(
  seal: Pick<Seal, 'digest'>,
  { from, transactions }: PayrollContents,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(from.account))
  await mapLettingOthersIn(transactions, ({ metadata, name, account, amount, remittanceInformation }) => {
    hash.update(JSON.stringify([metadata.endToEndId, name, account.bban, amount, remittanceInformation]))
  })
  return seal.digest(hash.digest('base64url'), 'payroll order')
}
