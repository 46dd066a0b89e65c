/** Resubmits an order that expired unsigned at its bank: identical amount, creditor and date under a new id. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import type { BulkInitiationResult } from '../../banks/connector/bank-order.ts'
import type { Connector } from '../../banks/connector/connector.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { findDebtorAccount, type OrderForBank, rebuildOrder } from '../parse/stored-order.ts'
import type { AcknowledgedPayment, Payment } from '../payment.ts'
import { firstExpiredOrderPoll } from '../status/poll-expired-order.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { createResubmission, type ResubmissionRecord, rollBackResubmission } from '../store/expired-order-store.ts'
import { writeAcknowledgedOutcome } from '../store/payment-status-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { recordBankTransactionIds } from '../store/payroll-transaction-store.ts'
import { ensureNoLiveOrder, ResubmissionError } from './ensure-no-live-order.ts'
import { outcomeUnknownError } from './fail-submission.ts'
import { recordAcknowledged } from './record-acknowledgement.ts'
import { deleteUnanswered, newSubmission, type Submission } from './submission.ts'
import { type InitiateOrder, submitOrder } from './submit-order.ts'

/** A stored resubmission. */
type Resubmission = ResubmissionRecord & Submission

/**
 * Returns the resubmitted payment. Throws `ResubmissionError`, the bank's error, or 503 with the payment's id when the
 * outcome is unknown.
 */
export async function resubmitOrder(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<Payment> {
  const today = context.clock.today(bank.profile.timeZone)
  if (Temporal.PlainDate.compare(payment.dueDate, today) < 0) {
    throw new ResubmissionError(`expired unsigned at the bank, and its due date, ${payment.dueDate}, has passed`)
  }
  const initiate = await prepareResubmission(context, caller, bank, payment)
  await ensureNoLiveOrder(context, caller, bank, payment)
  const submission = await createSubmission(context, payment)
  const onRejected = (error: BankError) => restoreExpiredOrder(context, submission, error)
  const answer = await submitOrder(context, caller, submission, { bank, initiate, onRejected })
  switch (answer.outcome) {
    case 'acknowledged':
      return await recordResubmission(context, submission, answer.result)
    case 'rejected': {
      const { error } = answer
      throw isBankError(error, 'order-rejected', 'due-date-rejected', 'ocr-rejected', 'account-unknown')
        ? new ResubmissionError(`expired, and its bank rejected the resubmission: ${error.message}`)
        : error
    }
    case 'unknown':
      throw outcomeUnknownError(submission, 'resubmitted')
  }
}

/** Steps that may fail without the bank fail here, before anything is stored. */
async function prepareResubmission(
  context: Context,
  { consent }: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<InitiateOrder> {
  const listed = await findDebtorAccount(context, consent, payment)
  const order = await rebuildOrder(context, bank, payment, listed)
  const initiate = order && initiatorOf(context.banks.connectorOf(bank), order)
  if (initiate === undefined) {
    throw new ResubmissionError('expired unsigned at the bank and cannot be resubmitted')
  }
  return initiate
}

/** Returns undefined where the bank lacks the product. */
function initiatorOf(
  { domesticPayments, crossBorderPayments, bulkPayments }: Connector,
  rebuilt: OrderForBank,
): InitiateOrder | undefined {
  switch (rebuilt.product) {
    case 'domestic':
      return domesticPayments && ((caller, request) => domesticPayments.initiate(caller, rebuilt.order, request))
    case 'cross-border':
      return crossBorderPayments && ((caller, request) => crossBorderPayments.initiate(caller, rebuilt.order, request))
    case 'bulk':
      return bulkPayments && ((caller, request) => bulkPayments.initiate(caller, rebuilt.order, request))
  }
}

async function createSubmission(context: Context, payment: AcknowledgedPayment): Promise<Resubmission> {
  const { clock, database } = context
  const submission = {
    ...newSubmission(context, payment),
    id: payment.id,
    formerBankPaymentId: payment.bankPaymentId,
    expiredOrderId: newId(),
    expiredOrderPollAt: firstExpiredOrderPoll(clock),
  }
  const isCreated = await createResubmission(database, submission).catch((error: unknown) => {
    if (isConstraintViolation(error, 'payments_open_outcome')) {
      return false
    }
    deleteUnanswered(context, error, () => rollBackResubmission(database, submission))
    throw error
  })
  if (!isCreated) {
    throw apiError('conflict', 'Another request is submitting this order to the bank; try again in a moment')
  }
  return submission
}

async function restoreExpiredOrder(context: Context, submission: Resubmission, error: BankError): Promise<void> {
  if (!(await rollBackResubmission(context.database, submission))) {
    throw new Error('The outcome was settled while the order was resubmitted')
  }
  // Recovery may have given the submission up while the bank processed it.
  const task = paymentTask(submission, 'UnknownOutcome')
  await resolveTaskAutomatically(context, task, `the bank rejected the order late: ${error.message}`)
}

async function recordResubmission(
  context: Context,
  submission: Resubmission,
  acknowledged: BulkInitiationResult,
): Promise<Payment> {
  const { bankPaymentId, observation, elementIds } = acknowledged
  const known = { bankPaymentId, pollAt: context.clock.now() }
  await recordAcknowledged(context, { ...submission, bankPaymentId }, 'resubmitted', () =>
    writeAcknowledgedOutcome(context.database, submission, known),
  )
  const payment = await findPayment(context.database, submission)
  if (payment?.bankPaymentId !== bankPaymentId) {
    throw await settledMeanwhile(context, submission, bankPaymentId)
  }
  // Recovery may have given the submission up while the bank processed it.
  const late = `the bank answered late: ${bankPaymentId}`
  await resolveTaskAutomatically(context, paymentTask(submission, 'UnknownOutcome'), late)
  await resolveTaskAutomatically(context, paymentTask(submission, 'LapsedAtBank'), `resubmitted as ${bankPaymentId}`)
  const { transactions } = submission
  await (transactions && elementIds && recordBankTransactionIds(context.database, transactions, elementIds))
  return await recordPaymentStatus(context, payment, observation)
}

async function settledMeanwhile(
  context: Context,
  submission: ResubmissionRecord,
  bankPaymentId: string,
): Promise<Error> {
  const detail = {
    bankPaymentId,
    text: 'The bank accepted the resubmission after operators had recorded that it did not',
  }
  await raiseTask(context, { ...paymentTask(submission, 'UnexpectedStatus'), detail })
  return apiError('conflict', 'Operators settled the payment while it was resubmitted to the bank')
}
