/** Records the bank's acknowledgement of an order together with the answer for idempotent repetitions. */
import type { PaymentStatusReason, PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { BulkInitiationResult, InitiationResult } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueEvent } from '../../webhooks/events/enqueue-event.ts'
import { nextExchangeState, statusWithExchange } from '../exchange-state.ts'
import { hasEndedUnpaid, isFinalStatus, type Payment } from '../payment.ts'
import { nextPoll, pollTermsOf } from '../status/poll-schedule.ts'
import { ConcurrentUpdateError, retryOnConcurrentUpdate } from '../status/record-payment-status.ts'
import { announcePayrollChanges, refreshPayrollStatus } from '../status/record-transaction-statuses.ts'
import { type StatusToRecord, writeStatus } from '../store/payment-status-store.ts'
import { recomputePayrollStatus } from '../store/payroll-progress-store.ts'
import { recordBankTransactionIds } from '../store/payroll-transaction-store.ts'
import { type Acknowledgement, writeAcknowledgement } from '../store/submission-store.ts'
import { type FailedSubmission, outcomeUnknownError, tryRecordUnknownOutcome } from './fail-submission.ts'
import type { Initiation, Submission } from './submission.ts'

/** What the bank's acknowledgement makes of an order. */
export function acknowledgementOf(
  { clock }: Context,
  submission: Submission,
  bank: Bank,
  { bankPaymentId, observation }: InitiationResult,
): Acknowledgement {
  const statusAt = clock.now()
  const reported: PaymentStatusValue = observation.status ?? 'InProgress'
  const awaitsSignature =
    reported === 'Unsigned' || (observation.statusReason !== null && AWAITING_USER.has(observation.statusReason))
  // Neither an unknown bank status nor a rejection proves a signature.
  const signed = observation.status !== null && !awaitsSignature && !hasEndedUnpaid({ status: reported })
  const exchange = submission.isFunding ? nextExchangeState('unsigned', { status: reported, signed }) : null
  const observed = { status: reported, statusReason: observation.statusReason }
  const { status, statusReason } = exchange === null ? observed : statusWithExchange(exchange, observed)
  const finalSince = isFinalStatus(status) ? statusAt : null
  const { partnerId, paymentId: id, dueDate } = submission
  const polled = { id, dueDate, status, signed, pollStep: 0, finalSince }
  const { statusReasonText, bankStatus } = observation
  return {
    ...{ partnerId, id, historyId: newId(), bankPaymentId, exchange },
    ...{ status, statusReason, statusReasonText, bankStatus, statusAt, signed, finalSince },
    pollAt: nextPoll(polled, statusAt, pollTermsOf(bank)),
  }
}

/** Reasons of an order that is not fully signed. */
const AWAITING_USER: ReadonlySet<PaymentStatusReason> = new Set(['PartlySigned', 'SmsConfirmationRequired'])

/** The request that is answered with the acknowledgement; `elementIds` are the bank's ids of the transactions. */
type AcknowledgedRequest = Pick<Initiation, 'idempotent'> & {
  readonly answer: unknown
  readonly elementIds?: BulkInitiationResult['elementIds']
}

/**
 * Records with one statement, retried until the database has it, with the answer to repetitions of the request. Throws 503
 * when that takes longer than a request may, or fails for good; operators get the bank's id then.
 */
export async function recordAcknowledgement(
  context: Context,
  submission: Submission,
  acknowledgement: Acknowledgement,
  { idempotent, answer, elementIds }: AcknowledgedRequest,
): Promise<void> {
  const { bankPaymentId, status } = acknowledgement
  const row = { ...acknowledgement, ...idempotent?.answerOf(answer) }
  let isUnanswered = false
  const record = async () => {
    // The partner has got a 503.
    await (isUnanswered && recordLateAcknowledgement(context, submission, acknowledgement))
    const { before } = await writeAcknowledgement(context.database, row)
    if (before === 'left') {
      await recordLateAcknowledgement(context, submission, acknowledgement)
    }
    if (before !== 'in-flight') {
      // `known` means that the same statement succeeded before its connection was cut; whether it resolved a task is
      // unknown.
      await resolveTaskAutomatically(
        context,
        paymentTask(row, 'UnknownOutcome'),
        `the bank answered late: ${bankPaymentId}`,
      )
    }
  }
  await recordAcknowledged(context, { ...submission, bankPaymentId }, 'unrecorded', record).catch((error: unknown) => {
    isUnanswered = true
    throw error
  })
  if (idempotent !== null) {
    idempotent.answerStored = true
  }
  const { paymentId, transactions } = submission
  await (transactions && recordTransactions(context, { ...transactions, paymentId }, elementIds, status))
}

/**
 * Records what the bank has acknowledged, retried until the database has it. Throws 503 when that takes longer than a request
 * may, or fails for good: then the bank's id is logged, and added to the task if that can be written; otherwise recovery
 * raises one without it.
 */
export async function recordAcknowledged(
  context: Context,
  submission: FailedSubmission & { readonly bankPaymentId: string },
  cause: 'unrecorded' | 'resubmitted',
  record: () => Promise<unknown>,
): Promise<void> {
  const { paymentId, bankRequestId, bankPaymentId } = submission
  const onFailed = async (error: unknown) => {
    const message = 'the acknowledgement of an order could not be recorded'
    context.log.error({ paymentId, bankRequestId, bankPaymentId, error }, message)
    await tryRecordUnknownOutcome(context, submission, error)
  }
  await context.outcomes.recordInTime(record, onFailed).catch(() => {
    throw outcomeUnknownError(submission, cause)
  })
}

/** The order is at the bank and recorded as such: if this fails, the first poll makes up for it. */
async function recordTransactions(
  context: Context,
  { paymentId, ...transactions }: NonNullable<Submission['transactions']> & Pick<Submission, 'paymentId'>,
  elementIds: BulkInitiationResult['elementIds'],
  status: PaymentStatusValue,
): Promise<void> {
  // An order that awaits its signature has changed nothing that partners see.
  const isVisible = status !== 'Unsigned'
  if (elementIds === undefined && !isVisible) {
    return
  }
  const record = async () =>
    await inTransaction(context, async ({ database, clock }) => {
      await (elementIds && recordBankTransactionIds(database, transactions, elementIds))
      const at = clock.now()
      const change = await recomputePayrollStatus(database, transactions, at)
      await (isVisible && announcePayrollChanges(database, transactions, at, change))
    })
  const message = 'the transaction ids of an acknowledged order could not be recorded'
  const onFailed = async (error: unknown) => context.log.error({ paymentId, error }, message)
  await context.outcomes.recordInTime(record, onFailed).catch(() => undefined)
}

/** Writes status, history, task and event in one transaction, unless the acknowledgement is recorded already. */
async function recordLateAcknowledgement(
  context: Context,
  { paymentId, transactions }: Submission,
  acknowledgement: Acknowledgement,
): Promise<void> {
  const record = async (payment: Payment | undefined) => {
    if (payment === undefined || payment.outcome === 'known') {
      return
    }
    await inTransaction(context, async (context) => {
      const next = lateStatusOf(context, payment, acknowledgement)
      const recorded = await writeStatus(context.database, payment, next, true)
      if (recorded === undefined) {
        throw new ConcurrentUpdateError(`Payment ${paymentId} was changed concurrently`)
      }
      const { partnerId, status: previousStatus } = payment
      const { at, status, statusReason, statusReasonText, bankPaymentId } = next
      if (payment.outcome === 'void') {
        const text = 'The bank accepted the order after operators had recorded that it never did'
        await raiseTask(context, { ...paymentTask(payment, 'UnexpectedStatus'), detail: { bankPaymentId, text } })
      }
      if (transactions !== undefined) {
        await refreshPayrollStatus(context.database, transactions, at)
      } else if (previousStatus !== status) {
        const change = { paymentId, previousStatus, status, statusReason, statusReasonText }
        await enqueueEvent(context, context.database, { partnerId, ...recorded, ...change })
      }
    })
  }
  if (!(await retryOnConcurrentUpdate(context, acknowledgement, record))) {
    throw new ConcurrentUpdateError(`Payment ${paymentId} was changed again and again while it was acknowledged`)
  }
}

/** The exchange was cancelled when an operator voided the payment; what is decided stays so, whatever happens to the order. */
function lateStatusOf(
  { clock }: Context,
  { exchange: before, outcome, settledBy, decideAt }: Payment,
  { statusAt: at, ...acknowledged }: Acknowledgement,
): StatusToRecord & Pick<Acknowledgement, 'bankPaymentId'> {
  const { statusReasonText, bankStatus, signed, pollAt, finalSince, bankPaymentId } = acknowledged
  const recorded = { at, real: clock.real(), outcome: 'known', bankPaymentId, pollStep: 0, settledBy } as const
  const next = { ...recorded, statusReasonText, bankStatus, signed, pollAt }
  if (before === null) {
    const { status, statusReason } = acknowledged
    return { ...next, status, statusReason, finalSince, exchange: null, decideAt }
  }
  const isVoid = outcome === 'void'
  const exchange = isVoid ? 'uncancellable' : before === 'unsigned' ? (acknowledged.exchange ?? before) : before
  const shown = statusWithExchange(exchange, acknowledged)
  const decided = { exchange, decideAt: exchange === before ? decideAt : at }
  return { ...next, ...shown, ...decided, finalSince: isFinalStatus(shown.status) ? at : null }
}
