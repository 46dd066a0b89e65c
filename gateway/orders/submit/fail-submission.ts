/** Ends a submission that the bank rejected, or records that its outcome is unknown. */
import { BankError, isOutOfService, UnusableOrderIdError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { findOpenIncident, INCIDENT, incidentName } from '../../operators/incident.ts'
import { addTaskDetail, paymentTask, raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { type ApiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { isOutcomeUnknown } from '../payment.ts'
import { findPayment } from '../store/payment-store.ts'
import { deleteSubmission, recordUnknownOutcome } from '../store/submission-store.ts'
import type { Submission } from './submission.ts'

/** The failed submission; with the bank's id when the bank accepted the order but its answer could not be stored. */
export type FailedSubmission = Pick<Submission, 'partnerId' | 'paymentId' | 'instruction' | 'bankRequestId'> & {
  readonly bankPaymentId?: string
}

/** Logs the rejection and deletes the order, with what `deleteRelated` deletes in the same transaction. */
export async function rejectSubmission(
  context: Context,
  submission: FailedSubmission,
  cause: unknown,
  deleteRelated?: DeleteRelated,
): Promise<void> {
  const reason = logFailure(context, submission, 'rejected', cause)
  await deleteRejected(context, submission, `the bank rejected the order late: ${reason}`, deleteRelated)
}

/** Raises an operator task. */
export async function recordUnknownSubmission(
  context: Context,
  submission: FailedSubmission,
  cause: unknown,
): Promise<void> {
  const { partnerId, paymentId, bankRequestId } = submission
  const reason = logFailure(context, submission, 'unknown', cause)
  const incident = isOutOfService(cause) ? await incidentOf(context, { partnerId, id: paymentId }) : {}
  await raiseUnknownOutcome(context, { partnerId, paymentId }, { bankRequestId, reason, ...incident })
  const { bankPaymentId } = submission
  const detail =
    cause instanceof UnusableOrderIdError
      ? { unusableBankPaymentId: cause.quotedId }
      : bankPaymentId !== undefined && { bankPaymentId }
  if (detail !== false) {
    // The task may have been raised by recovery, which does not know the bank's id.
    await addTaskDetail(context, { ...paymentTask({ partnerId, id: paymentId }, 'UnknownOutcome'), detail })
  }
}

/**
 * Bank errors of private orders are redacted already; the messages of other errors may contain what was sent, their
 * names do not.
 */
function logFailure(
  { log }: Context,
  { paymentId, bankRequestId, instruction }: FailedSubmission,
  outcome: 'rejected' | 'unknown',
  cause: unknown,
): string {
  const text = cause instanceof Error ? cause.message : String(cause)
  const mayRepeatContents = instruction.isPrivate && cause instanceof Error && !(cause instanceof BankError)
  const reason = mayRepeatContents ? cause.name : text
  log.warn({ paymentId, bankRequestId, outcome, reason }, 'the bank did not accept an order')
  return reason
}

/**
 * Returns whether the end of a submission was recorded while its request waited. It is retried until the database has
 * it, so `record` is idempotent; when that fails for good, recovery takes it for an unknown outcome. The order is never
 * submitted twice.
 */
export async function tryRecordOutcome(
  context: Context,
  { paymentId }: Pick<Submission, 'paymentId'>,
  record: () => Promise<unknown>,
): Promise<boolean> {
  const onFailed = async (error: unknown) =>
    context.log.error({ paymentId, error }, 'the outcome of a submission could not be recorded')
  return await context.outcomes.recordInTime(record, onFailed).then(
    () => true,
    () => false,
  )
}

export async function tryRecordUnknownOutcome(
  context: Context,
  submission: FailedSubmission,
  cause: unknown,
): Promise<void> {
  await tryRecordOutcome(context, submission, () => recordUnknownSubmission(context, submission, cause))
}

/** Why an order is deleted whose storage was not confirmed in time. */
export const NOT_CALLED = 'the bank was not called'

/** What an order that its bank does not hold leaves behind elsewhere; runs in the transaction that deletes the order. */
export type DeleteRelated = (context: Context) => Promise<void>

/**
 * Deletes an order that its bank certainly does not hold and releases its idempotency key, also after recovery has taken
 * over: `resolution` ends the task. Changes nothing when the outcome was settled meanwhile.
 */
export async function deleteRejected(
  context: Context,
  { partnerId, paymentId }: Pick<Submission, 'partnerId' | 'paymentId'>,
  resolution: string,
  deleteRelated?: DeleteRelated,
): Promise<void> {
  await inTransaction(context, async (context) => {
    const payment = { partnerId, id: paymentId }
    const before = await deleteSubmission(context.database, payment)
    await (before && deleteRelated?.(context))
    if (before === 'unknown') {
      await resolveTaskAutomatically(context, paymentTask(payment, 'UnknownOutcome'), resolution)
    }
  })
}

/** Orders that a bank answers with 503 within this time of each other are one incident. */
const INCIDENT_LASTS = { hours: 6 }

/** Names the incident at the bank, so that operators settle its orders together. */
async function incidentOf(
  context: Context,
  payment: { readonly partnerId: string; readonly id: string },
): Promise<Readonly<Record<string, string>>> {
  const bank = (await findPayment(context.database, payment))?.bic
  if (bank === undefined) {
    return {}
  }
  const now = context.clock.real()
  const open = await findOpenIncident(context, bank, now.subtract(INCIDENT_LASTS))
  return { [INCIDENT]: open ?? incidentName(bank, now) }
}

/** The task comes first: after a crash in between, recovery takes over the submission and finds the task. */
async function raiseUnknownOutcome(
  context: Context,
  { partnerId, paymentId }: Pick<Submission, 'partnerId' | 'paymentId'>,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  const key = { partnerId, id: paymentId }
  const task = paymentTask(key, 'UnknownOutcome')
  await raiseTask(context, { ...task, detail })
  if (!(await recordUnknownOutcome(context.database, key))) {
    const payment = await findPayment(context.database, key)
    if (payment === undefined || !isOutcomeUnknown(payment)) {
      await resolveTaskAutomatically(context, task, 'the outcome became known meanwhile')
    }
  }
}

const detailByCause = {
  unanswered: (kind: string) =>
    `the ${kind} may or may not be at the bank. Do not send it again; poll the ${kind} named here`,
  unreadable: (kind: string) =>
    `the bank answered in a form that Havn cannot read, and the ${kind} may or may not be there. Do not send it again; ` +
    `poll the ${kind} named here`,
  unrecorded: (kind: string) =>
    `its acknowledgement is not recorded yet. Do not send the ${kind} again; poll the ${kind} named here`,
  resubmitted: (kind: string) => `the order had expired there and was resubmitted. Poll the ${kind} named here`,
} as const

/** Names the instruction, since partners do not see the orders of one. The bank may say when it can be asked again. */
export function outcomeUnknownError(
  { instruction: { named, noun } }: Pick<Submission, 'instruction'>,
  cause: keyof typeof detailByCause,
  retryAfterSeconds?: number | null,
): ApiError {
  const retryAfter = retryAfterSeconds == null ? undefined : Math.max(1, retryAfterSeconds)
  return outcomeUnknown(named, detailByCause[cause](noun), retryAfter)
}
