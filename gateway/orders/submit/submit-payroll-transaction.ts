/** Submits one transaction of a payroll as an order of its own, once, after storing it. */

import type { PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { type BankError, isOutOfService, retryAfterOf } from '../../banks/connector/bank-error.ts'
import { endsAccess, isCausedByRequest, isDeniedToUser } from '../../banks/connector/bank-error-classification.ts'
import type { BulkInitiationResult, DomesticOrder } from '../../banks/connector/bank-order.ts'
import type { DomesticPaymentProduct } from '../../banks/connector/connector.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { ApiError } from '../../platform/http/errors/api-error.ts'
import type { ListedDebtor, ParsedDebtor } from '../parse/domestic-payment-parts.ts'
import { buildSingleOrder } from '../parse/payroll-orders.ts'
import type { Payroll } from '../payroll.ts'
import { contentDigest, type PayrollContents } from '../payroll-order.ts'
import { bankErrorMessage } from '../redact-bank-text.ts'
import { refreshPayrollStatus } from '../status/record-transaction-statuses.ts'
import { findOpenOutcome } from '../store/payment-store.ts'
import { unlinkTransactionFromOrder } from '../store/payroll-progress-store.ts'
import { lockSubmittingPayroll } from '../store/payroll-submission-store.ts'
import { deleteRejected, NOT_CALLED, rejectSubmission } from './fail-submission.ts'
import { failPayrollSubmission } from './maintain-payroll.ts'
import { acknowledgementOf, recordAcknowledgement } from './record-acknowledgement.ts'
import { AlreadySubmittedError, newPayrollOrder, storePayrollOrder } from './store-payroll.ts'
import { deleteUnanswered, type Submission } from './submission.ts'
import { submitOrder } from './submit-order.ts'

/** A payroll whose transactions are submitted now, and what they share. */
export type SubmittablePayroll = {
  /** Orders are polled under the consent that submitted them. */
  readonly payroll: Payroll
  readonly caller: Pick<ConsentCaller, 'consent' | 'psu'>
  readonly bank: Bank
  readonly product: DomesticPaymentProduct
  readonly listed: ListedDebtor | undefined
}

type TransactionSubmissionParameters = SubmittablePayroll & {
  readonly contents: Pick<PayrollContents, 'from' | 'purposeCode'>
  readonly debtor: ParsedDebtor
}

/** One transaction by its position, counted from 0. */
export type PayrollTransactionAt = { readonly position: number; readonly request: PayrollTransactionRequest }

/**
 * `submitted`: the bank holds the order. `rejected`: by the bank. `deferred`: not now. `unknown`: the outcome is unknown; with
 * an obstacle, any further order would have an unknown outcome, too. `skipped`: submitted by another process, or the payroll
 * is not open any more. `blocked`: an equal transaction of another payroll has an unknown outcome.
 */
export type TransactionSubmissionOutcome =
  | { readonly outcome: 'submitted' | 'skipped' | 'rejected' }
  | { readonly outcome: 'unknown'; readonly obstacle?: SubmissionObstacle }
  | { readonly outcome: 'blocked'; readonly payrollId: string }
  | { readonly outcome: 'deferred'; readonly obstacle: SubmissionObstacle }

/** Why transactions cannot be submitted now, and what they wait for: time, a renewed consent, or another user. */
export type SubmissionObstacle = {
  readonly text: string
  readonly needs: 'time' | 'consent' | 'user'
  /** After how long the bank requests the next call, where it does. */
  readonly retryAfterSeconds?: number | null
}

/** Submits a transaction of a payroll, unless it is submitted already. */
export async function submitPayrollTransaction(
  context: Context,
  parameters: TransactionSubmissionParameters,
  transaction: PayrollTransactionAt,
): Promise<TransactionSubmissionOutcome> {
  const { caller, bank, product, payroll, listed, contents, debtor } = parameters
  const { currency, dueDate } = payroll
  const terms = { countryCode: bank.countryCode, currency, dueDate, listed, debtor }
  const order = await buildSingleOrder({ ...contents, transactions: [transaction.request] }, terms)
  const submission = await storeTransactionOrder(context, payroll, transaction.position, order)
  if ('outcome' in submission) {
    return submission
  }
  const answer = await submitOrder(context, caller, submission, {
    bank,
    initiate: (bankCaller, call) => product.initiate(bankCaller, order, call),
    onRejected: (error) =>
      rejectSubmission(context, submission, error, (context) =>
        unlinkTransaction(context, payroll, submission, isCausedByRequest(error) ? bankErrorMessage(error) : null),
      ),
  })
  switch (answer.outcome) {
    case 'acknowledged':
      return await recordTransactionAcknowledgement(context, submission, answer.result, bank)
    case 'rejected': {
      const { error } = answer
      return isCausedByRequest(error) ? { outcome: 'rejected' } : { outcome: 'deferred', obstacle: obstacleOf(error) }
    }
    case 'unknown':
      return { outcome: 'unknown', ...(isOutOfService(answer.cause) ? { obstacle: obstacleOf(answer.cause) } : {}) }
  }
}

/** Returns the stored submission, or the outcome when the transaction is not submitted. */
async function storeTransactionOrder(
  context: Context,
  payroll: Payroll,
  position: number,
  bankOrder: DomesticOrder,
): Promise<Submission | TransactionSubmissionOutcome> {
  const { endToEndId } = bankOrder
  const digest = await contentDigest(context.digest, [bankOrder])
  const range = { first: position, count: 1 }
  const order = newPayrollOrder(payroll, { as: 'single', range, endToEndId, digest })
  try {
    return await inTransaction(context, async (context) =>
      (await lockSubmittingPayroll(context.database, payroll))
        ? (await storePayrollOrder(context, order)).submission
        : { outcome: 'skipped' },
    )
  } catch (error) {
    if (error instanceof AlreadySubmittedError) {
      return { outcome: 'skipped' }
    }
    const stored = { partnerId: order.partnerId, paymentId: order.id }
    deleteUnanswered(context, error, () =>
      deleteRejected(context, stored, NOT_CALLED, (context) => unlinkTransaction(context, payroll, stored, null)),
    )
    if (isConstraintViolation(error, 'payments_open_outcome')) {
      // An equal transaction of another payroll has an unknown outcome, or another process is submitting this one.
      const other = (await findOpenOutcome(context.database, order))?.payrollId ?? payroll.id
      return other === payroll.id ? { outcome: 'skipped' } : { outcome: 'blocked', payrollId: other }
    }
    throw error
  }
}

async function recordTransactionAcknowledgement(
  context: Context,
  submission: Submission,
  result: BulkInitiationResult,
  bank: Bank,
): Promise<TransactionSubmissionOutcome> {
  try {
    const acknowledgement = acknowledgementOf(context, submission, bank, result)
    const { elementIds } = result
    await recordAcknowledgement(context, submission, acknowledgement, { idempotent: null, answer: null, elementIds })
    return { outcome: 'submitted' }
  } catch (error) {
    // Operators have a task about the acknowledgement that could not be recorded.
    if (error instanceof ApiError) {
      return { outcome: 'unknown' }
    }
    throw error
  }
}

/** Returns the transaction to those without an order; a permanent rejection becomes its status, and the payroll fails. */
async function unlinkTransaction(
  context: Context,
  payroll: Payroll,
  { paymentId }: Pick<Submission, 'paymentId'>,
  rejection: string | null,
): Promise<void> {
  const key = { partnerId: payroll.partnerId, payrollId: payroll.id }
  const rejected = rejection === null ? null : { text: rejection, at: context.clock.now() }
  await unlinkTransactionFromOrder(context.database, key, paymentId, rejected)
  const failsNow = rejected && (await failPayrollSubmission(context, payroll, rejected.text))
  // A payroll that has failed before gets the status of one more transaction.
  if (rejected !== null && failsNow === false) {
    await refreshPayrollStatus(context.database, key, rejected.at)
  }
}

function obstacleOf(error: BankError): SubmissionObstacle {
  const needs = endsAccess(error) ? 'consent' : isDeniedToUser(error) ? 'user' : 'time'
  return { text: bankErrorMessage(error), needs, retryAfterSeconds: retryAfterOf(error) }
}
