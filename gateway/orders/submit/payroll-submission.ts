/** Stores the submission of a payroll order before the bank is called and deletes it when the bank rejects it. */
import type { Context } from '../../context.ts'
import { resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { IdempotentRequest } from '../../platform/http/idempotency/idempotency.ts'
import type { Payroll } from '../payroll.ts'
import { type PayrollKey, type PayrollProduct, type TransactionRange, toPayrollOrdered } from '../payroll-order.ts'
import { linkTransactionsToOrder } from '../store/payroll-transaction-store.ts'
import { deleteSubmission } from '../store/submission-outcome-store.ts'
import { createSubmissionInTransaction } from '../store/submission-store.ts'
import { newSubmissionRequest, type Submission } from './submission.ts'

/** The attributes of a payroll that each of its orders has. */
export type PayrollOrderAttributes = PayrollKey &
  Pick<Payroll, 'consentId' | 'bic' | 'countryCode' | 'organisationNumber' | 'debtorBban' | 'currency' | 'dueDate'>

/** An order that is about to be submitted. */
export type NewPayrollSubmission<Order> = {
  /** The id of the row; it also identifies a bulk order at the bank. */
  readonly id: string
  readonly payroll: PayrollOrderAttributes
  readonly range: TransactionRange
  readonly as: PayrollProduct
  /** The endToEndId of the first transaction. */
  readonly endToEndId: string
  /** As returned by `contentDigest`. */
  readonly digest: string
  readonly order: Order
}

/** A payroll order that is stored and not submitted to the bank yet. */
export type PayrollSubmission<Order> = Submission<Order> & PayrollKey

/** The transactions belong to an order already: another process has submitted them, or is about to. */
export class AlreadySubmittedError extends Error {}

const DUPLICATE_WITHIN = { hours: 24 }

/**
 * Stores a submission within a transaction; `duplicateOf` is an equal order of the last 24 hours. A constraint rejects
 * one that equals an order with an unknown outcome. Throws `AlreadySubmittedError`.
 */
export async function recordPayrollSubmission<Order>(
  context: Context,
  { id, payroll, range, as, endToEndId, digest, order }: NewPayrollSubmission<Order>,
  idempotent: IdempotentRequest | null = null,
): Promise<{ readonly submission: PayrollSubmission<Order>; readonly duplicateOf: string | null }> {
  const { partnerId, payrollId, debtorBban, currency } = payroll
  const { bankRequestId, notification, notificationTokenHash, recoverAt } = newSubmissionRequest(context, {
    partnerId,
    id,
  })
  const now = context.clock.now()
  const { duplicateOf } = await createSubmissionInTransaction(context.database, {
    partner_id: partnerId,
    id,
    type: 'Payroll',
    payroll_id: payrollId,
    consent_id: payroll.consentId,
    bic: payroll.bic,
    country_code: payroll.countryCode,
    organisation_number: payroll.organisationNumber,
    end_to_end_id: endToEndId,
    amount_minor: '0',
    currency,
    debtor_bban: debtorBban,
    creditor_bban: digest,
    due_date: payroll.dueDate.toString(),
    ordered: JSON.stringify(toPayrollOrdered(payroll, range, as)),
    bank_request_id: bankRequestId,
    notification_token_hash: notificationTokenHash,
    created_at: now.toString(),
    recover_at: recoverAt.toString(),
    duplicates_since: now.subtract(DUPLICATE_WITHIN).toString(),
    idempotency: idempotent?.startRowFor(payrollId) ?? null,
  })
  if ((await linkTransactionsToOrder(context.database, payroll, range, id)) !== range.count) {
    throw new AlreadySubmittedError(`Transactions of payroll ${payrollId} belong to another order already`)
  }
  const submission = { partnerId, paymentId: id, payrollId, order, bankRequestId, notification, warnings: [] }
  return { submission, duplicateOf }
}

/**
 * Deletes an order that its bank rejected, together with what `deleteRelated` deletes, and releases its idempotency
 * key. Returns false and changes nothing when the outcome was settled meanwhile.
 */
export async function deletePayrollSubmission(
  context: Context,
  { partnerId, paymentId }: Pick<Submission, 'partnerId' | 'paymentId'>,
  deleteRelated: (context: Context) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const before = await deleteSubmission(context.database, { partnerId, id: paymentId })
    if (before === undefined) {
      return false
    }
    await deleteRelated(context)
    if (before === 'unknown') {
      const subject = { partnerId, kind: 'UnknownOutcome', subjectId: paymentId } as const
      await resolveTaskAutomatically(context, subject, 'the bank rejected the order late')
    }
    return true
  })
}
