/** Resubmits an order that expired unsigned at its bank: identical amount, creditor and date under a new id. */

import type { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError, isCertainlyNotExecuted } from '../../banks/connector/bank-error-classification.ts'
import type { BulkInitiationResult } from '../../banks/connector/bulk-order.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { findAccountByBban } from '../../consents/accounts/find-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { psuContextAtBank } from '../../consents/tokens/psu-context.ts'
import type { Context } from '../../context.ts'
import { raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { retryPersist } from '../../platform/database/retry-persist.ts'
import { apiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { type AcknowledgedPayment, isPartnerPayment, type Payment } from '../payment.ts'
import { findPayment } from '../payment-store.ts'
import { payrollOrderSubmitter } from '../payroll/payroll-order-submitter.ts'
import { recordBankTransactionIds } from '../payroll/payroll-transaction-store.ts'
import { createResubmission, type ResubmissionRecord, rollBackResubmission } from '../status/expired-order-store.ts'
import { writeAcknowledgedOutcome } from '../status/payment-status-store.ts'
import { firstExpiredOrderPoll } from '../status/poll-expired-order.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { newBankRequest } from './bank-request.ts'
import { ensureNoLiveOrder } from './ensure-no-live-order.ts'
import { failSubmission } from './fail-submission.ts'
import { orderSubmitterOf } from './order-submitter.ts'
import { ResubmissionError } from './resubmission-error.ts'
import { partnerReferenceOf } from './submission.ts'

/** An order that is being submitted again; with the payroll to which it belongs, if any. */
type Resubmission = ResubmissionRecord & Pick<Payment, 'payrollId'>

/** Submits the order to the bank. */
type SubmitToBank = (request: {
  readonly requestId: string
  readonly notification: string
}) => Promise<BulkInitiationResult>

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
  const submit = await prepareResubmission(context, caller, bank, payment)
  await ensureNoLiveOrder(context, caller, bank, payment)
  const { submission, notification } = await createSubmission(context, payment)
  const acknowledged = await submitToBank(context, submission, () =>
    submit({ requestId: submission.bankRequestId, notification }),
  )
  return await recordResubmission(context, submission, acknowledged)
}

/** Steps that may fail without the bank fail here, before anything is stored. */
async function prepareResubmission(
  context: Context,
  { consent, psu }: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<SubmitToBank> {
  const account = await findAccountByBban(context, consent, payment.debtorBban)
  const connector = context.banks.connectorOf(bank)
  const debtorIban = account?.iban ?? null
  const submit = isPartnerPayment(payment)
    ? orderSubmitterOf(connector, bank, payment, debtorIban)
    : await payrollOrderSubmitter(context, connector, bank, { ...payment, debtorIban })
  if (submit === undefined) {
    throw new ResubmissionError('expired unsigned at the bank and cannot be resubmitted')
  }
  const bankCaller = await psuContextAtBank(context, { bank, consent, psu })
  return (request) => submit(bankCaller, request)
}

async function createSubmission(
  context: Context,
  payment: AcknowledgedPayment,
): Promise<{ submission: Resubmission; notification: string }> {
  const { clock, database } = context
  const { partnerId, id, bankPaymentId } = payment
  const { notification, ...request } = newBankRequest(context, payment)
  const former = {
    formerBankPaymentId: bankPaymentId,
    expiredOrderId: newId(),
    expiredOrderPollAt: firstExpiredOrderPoll(clock),
  }
  const submission = { partnerId, id, ...former, ...request }
  const isCreated = await createResubmission(database, submission).catch((error: unknown) => {
    if (isConstraintViolation(error, 'payments_open_outcome')) {
      return false
    }
    throw error
  })
  if (!isCreated) {
    throw apiError('conflict', 'Another request is submitting this order to the bank; try again in a moment')
  }
  return { submission: { ...submission, payrollId: payment.payrollId }, notification }
}

/** Submits the order once. A rejection restores the expired order; any unclear answer leaves an unknown outcome. */
async function submitToBank(
  context: Context,
  submission: Resubmission,
  submit: () => Promise<BulkInitiationResult>,
): Promise<BulkInitiationResult> {
  try {
    return await submit()
  } catch (error) {
    const isCertain = isCertainlyNotExecuted(error)
    if (isCertain && (await rollBackResubmission(context.database, submission))) {
      // Recovery may have acknowledged the submission up while the bank thought.
      await resolveTaskAutomatically(
        context,
        unknownOutcomeTask(submission),
        `the bank rejected the order late: ${error.message}`,
      )
      throw isOrderError(error)
        ? new ResubmissionError(`expired, and its bank rejected the resubmission: ${error.message}`)
        : error
    }
    await failSubmission(context, failedSubmissionOf(submission), 'unknown', error)
    throw resubmissionUnknown(submission)
  }
}

function isOrderError(error: BankError): boolean {
  return isBankError(error, 'order-refused', 'due-date-refused', 'ocr-refused', 'account-unknown')
}

/** Retried while the database is away; if it stays away, operators get the bank's id. */
async function recordResubmission(
  context: Context,
  submission: Resubmission,
  acknowledged: BulkInitiationResult,
): Promise<Payment> {
  const { bankPaymentId, observation, elementIds } = acknowledged
  const known = { bankPaymentId, pollAt: context.clock.now() }
  try {
    await retryPersist(context.log, () => writeAcknowledgedOutcome(context.database, submission, known))
  } catch (error) {
    context.log.error(
      { paymentId: submission.id, bankPaymentId, error },
      'the acknowledgement of an order could not be recorded',
    )
    await failSubmission(context, { ...failedSubmissionOf(submission), bankPaymentId }, 'unknown', error)
    throw resubmissionUnknown(submission)
  }
  const payment = await findPayment(context.database, submission)
  if (payment?.bankPaymentId !== bankPaymentId) {
    throw await settledMeanwhile(context, submission, bankPaymentId)
  }
  // Recovery may have acknowledged the submission up while the bank thought.
  await resolveTaskAutomatically(context, unknownOutcomeTask(submission), `the bank answered late: ${bankPaymentId}`)
  await resolveTaskAutomatically(
    context,
    { ...unknownOutcomeTask(submission), kind: 'LapsedAtBank' },
    `resubmitted as ${bankPaymentId}`,
  )
  if (payment.type === 'Payroll' && elementIds !== undefined) {
    const { payrollId, first } = payment.ordered
    await recordBankTransactionIds(context.database, { partnerId: payment.partnerId, payrollId }, first, elementIds)
  }
  return await recordPaymentStatus(context, payment, observation)
}

async function settledMeanwhile(
  context: Context,
  submission: ResubmissionRecord,
  bankPaymentId: string,
): Promise<Error> {
  const { partnerId, id: subjectId } = submission
  const detail = {
    bankPaymentId,
    text: 'The bank accepted the resubmission after operators had recorded that it did not',
  }
  await raiseTask(context, { partnerId, kind: 'UnexpectedStatus', subjectType: 'payment', subjectId, detail })
  return apiError('conflict', 'Operators settled the payment while it was resubmitted to the bank')
}

function unknownOutcomeTask({ partnerId, id: subjectId }: ResubmissionRecord) {
  return { partnerId, kind: 'UnknownOutcome', subjectId } as const
}

function failedSubmissionOf({ partnerId, id: paymentId, bankRequestId }: ResubmissionRecord) {
  return { partnerId, paymentId, bankRequestId }
}

function resubmissionUnknown({ id: paymentId, payrollId }: Resubmission): Error {
  const kind = payrollId === null ? 'payment' : 'payroll'
  const detail = `the order had expired there and was resubmitted. Poll the ${kind} named here`
  return outcomeUnknown(partnerReferenceOf({ paymentId, ...(payrollId === null ? {} : { payrollId }) }), detail)
}
