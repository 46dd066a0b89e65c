/** Submits one transaction of a payroll as an order of its own, once, after storing it. */

import type { PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { type BankError, isOutOfService, retryAfterOf } from '../../banks/connector/bank-error.ts'
import { endsAccess, isCausedByRequest, isDeniedToUser } from '../../banks/connector/bank-error-classification.ts'
import type { DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DomesticPaymentProduct } from '../../banks/connector/connector.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { ApiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { findPayrollOfOpenOrder } from '../find-orders.ts'
import type { ParsedDebtor } from '../parse/domestic-payment-parts.ts'
import { buildSingleOrder } from '../parse/payroll-orders.ts'
import { contentDigest, type PayrollContents, type PayrollKey } from '../payroll-order.ts'
import { bankErrorMessage } from '../redact-bank-text.ts'
import { unlinkTransactionFromOrder } from '../store/payroll-progress-store.ts'
import { submissionStatements } from '../store/submission-store.ts'
import { tryRecordOutcome, tryRecordUnknownOutcome } from './fail-submission.ts'
import {
  AlreadySubmittedError,
  deletePayrollSubmission,
  type PayrollOrderAttributes,
  recordPayrollSubmission,
} from './payroll-submission.ts'
import {
  type AcknowledgementTools,
  type PayrollAcknowledgement,
  recordPayrollAcknowledgement,
} from './record-acknowledgement.ts'
import type { Submission } from './submission.ts'
import { submitOnce } from './submit-once.ts'

/** The parameters that all transactions of a payroll share. */
export type TransactionSubmissionParameters = {
  readonly caller: Pick<ConsentCaller, 'consent' | 'psu'>
  readonly bank: Bank
  readonly product: DomesticPaymentProduct
  /** The debtor's IBAN as the bank shows it; null where it shows none. */
  readonly debtorIban: string | null
  readonly payroll: PayrollOrderAttributes
  readonly contents: Pick<PayrollContents, 'from' | 'purposeCode'>
  readonly debtor: ParsedDebtor
  /** Whether the payroll is still being submitted; false must not become true before the transaction ends. */
  readonly isOpen: (context: Context) => Promise<boolean>
  /** Records the consequences for the payroll together with the rejection of a transaction. */
  readonly recordRejected: (context: Context, text: string) => Promise<void>
}

/** One transaction by its position, counted from 0. */
export type PayrollTransactionAt = { readonly position: number; readonly request: PayrollTransactionRequest }

/**
 * `submitted`: the bank holds the order. `rejected`: by the bank. `deferred`: not now; see `DeferredSubmission`. `unknown`: the outcome
 * is unknown. `skipped`: submitted by another process, or the payroll is not open any more. `blocked`: an equal
 * transaction of another payroll has an unknown outcome.
 */
export type TransactionSubmissionOutcome =
  | { readonly outcome: 'submitted' | 'skipped' }
  /** With an obstacle, any further order would have an unknown outcome, too. */
  | { readonly outcome: 'unknown'; readonly obstacle?: Omit<DeferredSubmission, 'outcome'> }
  | { readonly outcome: 'blocked'; readonly payrollId: string }
  | { readonly outcome: 'rejected'; readonly text: string }
  | DeferredSubmission

/** What the transaction waits for: that time passes, that the consent is renewed, or that another user orders. */
export type DeferredSubmission = {
  readonly outcome: 'deferred'
  readonly text: string
  readonly needs: 'time' | 'consent' | 'user'
  /** After how long the bank requests the next call, where it does. */
  readonly retryAfterSeconds?: number | null
}

/** Submits a transaction of any payroll. */
export type SubmitPayrollTransaction = (
  parameters: TransactionSubmissionParameters,
  transaction: PayrollTransactionAt,
) => Promise<TransactionSubmissionOutcome>

type TransactionSubmission = Submission<DomesticOrder> & PayrollKey

/** Returns the submitter of a process, which shares the statement that records acknowledgements. */
export function payrollTransactionSubmitter(context: Context): SubmitPayrollTransaction {
  const { writeAcknowledgement } = submissionStatements(context.database)
  return async (parameters, transaction) => {
    const submission = await recordTransactionSubmission(context, parameters, transaction)
    if ('outcome' in submission) {
      return submission
    }
    const { caller, bank, product } = parameters
    const answer = await submitOnce(context, caller, bank, submission, (bankCaller, request) =>
      product.initiate(bankCaller, submission.order, request),
    )
    switch (answer.outcome) {
      case 'acknowledged': {
        const acknowledgement = { submission, first: transaction.position, taken: answer.result }
        return await recordTransactionAcknowledgement(context, acknowledgement, { writeAcknowledgement, bank })
      }
      case 'rejected':
        return await recordTransactionRejection(context, parameters, submission, answer.error)
      case 'unknown':
        await tryRecordUnknownOutcome(context, submission, answer.cause)
        return { outcome: 'unknown', ...(isOutOfService(answer.cause) ? { obstacle: obstacleOf(answer.cause) } : {}) }
    }
  }
}

/** Returns the stored submission, or the outcome when the transaction is not submitted. */
async function recordTransactionSubmission(
  context: Context,
  { payroll, bank, debtorIban, contents, debtor, isOpen }: TransactionSubmissionParameters,
  { position, request }: PayrollTransactionAt,
): Promise<TransactionSubmission | TransactionSubmissionOutcome> {
  const { partnerId, payrollId, currency, dueDate } = payroll
  const ordered = { ...contents, transactions: [request] }
  const order = buildSingleOrder(ordered, { countryCode: bank.countryCode, currency, dueDate, debtorIban, debtor })
  const { endToEndId } = order
  const submission = { id: newId(), payroll, as: 'single', endToEndId, order } as const
  const digest = await contentDigest(context.digest, ordered)
  try {
    return await inTransaction(context, async (context) => {
      const isStillOpen = await isOpen(context)
      const range = { first: position, count: 1 }
      return isStillOpen
        ? (await recordPayrollSubmission(context, { ...submission, digest, range })).submission
        : { outcome: 'skipped' }
    })
  } catch (error) {
    if (error instanceof AlreadySubmittedError) {
      return { outcome: 'skipped' }
    }
    if (error instanceof DatabaseUnavailable) {
      // It may be stored; the bank was not asked, so that it is not an unknown outcome.
      const stored = { partnerId, payrollId, paymentId: submission.id }
      context.outcomes.record(() => deleteTransactionSubmission(context, stored, null)).catch(() => undefined)
    }
    if (isConstraintViolation(error, 'payments_open_outcome')) {
      // An equal transaction of another payroll has an unknown outcome, or another process is submitting this one.
      const other = await findPayrollOfOpenOrder(context, { partnerId, endToEndId, digest, currency })
      return other === undefined || other === payrollId
        ? { outcome: 'skipped' }
        : { outcome: 'blocked', payrollId: other }
    }
    throw error
  }
}

async function recordTransactionAcknowledgement(
  context: Context,
  acknowledgement: PayrollAcknowledgement,
  tools: Pick<AcknowledgementTools, 'writeAcknowledgement' | 'bank'>,
): Promise<TransactionSubmissionOutcome> {
  try {
    await recordPayrollAcknowledgement(context, acknowledgement, { ...tools, idempotent: null })
    return { outcome: 'submitted' }
  } catch (error) {
    // Operators have a task about the acknowledgement that could not be recorded.
    if (error instanceof ApiError) {
      return { outcome: 'unknown' }
    }
    throw error
  }
}

/** Unlinks the transaction from its order; a permanent rejection becomes its status. */
async function recordTransactionRejection(
  context: Context,
  { recordRejected }: TransactionSubmissionParameters,
  intent: TransactionSubmission,
  error: BankError,
): Promise<TransactionSubmissionOutcome> {
  const { payrollId } = intent
  const text = bankErrorMessage(error)
  const isTransient = !isCausedByRequest(error)
  context.log.warn({ payrollId, errorKind: error.kind }, 'the bank did not accept an order of a payroll')
  const rejection = isTransient ? null : { text, at: context.clock.now() }
  const deleteRejected = () => deleteTransactionSubmission(context, intent, rejection, recordRejected)
  const isRecorded = await tryRecordOutcome(context, intent, deleteRejected)
  if (!isRecorded) {
    return { outcome: 'unknown' }
  }
  return isTransient ? { outcome: 'deferred', ...obstacleOf(error) } : { outcome: 'rejected', text }
}

/** Deletes the order of a transaction, and records its rejection if it was one. */
async function deleteTransactionSubmission(
  context: Context,
  submission: Pick<TransactionSubmission, 'partnerId' | 'payrollId' | 'paymentId'>,
  rejection: { readonly text: string; readonly at: Temporal.Instant } | null,
  recordRejected?: TransactionSubmissionParameters['recordRejected'],
): Promise<void> {
  await deletePayrollSubmission(context, submission, async (context) => {
    await unlinkTransactionFromOrder(context.database, submission, submission.paymentId, rejection)
    await (rejection && recordRejected?.(context, rejection.text))
  })
}

function obstacleOf(error: BankError): Omit<DeferredSubmission, 'outcome'> {
  return { text: bankErrorMessage(error), needs: needOf(error), retryAfterSeconds: retryAfterOf(error) }
}

function needOf(error: BankError): DeferredSubmission['needs'] {
  return endsAccess(error) ? 'consent' : isDeniedToUser(error) ? 'user' : 'time'
}
