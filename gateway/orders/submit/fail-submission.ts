/** Ends a submission that the bank rejected, or records that its outcome is unknown. */
import { BankError, isOutOfService, UnusableOrderIdError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { findOpenIncident, INCIDENT } from '../../operators/incident.ts'
import { addTaskDetail, raiseTask, resolveTaskAutomatically } from '../../operators/raise-task.ts'
import { isOutcomeUnknown } from '../payment.ts'
import { findPayment } from '../store/payment-store.ts'
import { deleteSubmission, recordUnknownOutcome } from '../store/submission-outcome-store.ts'
import type { Submission } from './submission.ts'

/** The failed submission; with the bank's id when the bank accepted the order but its answer could not be stored. */
type FailedSubmission = Pick<Submission, 'partnerId' | 'paymentId' | 'payrollId' | 'bankRequestId'> & {
  readonly bankPaymentId?: string
}

/** A rejected order is only logged; an unknown outcome raises an operator task. */
export async function failSubmission(
  context: Context,
  submission: FailedSubmission,
  outcome: 'rejected' | 'unknown',
  cause: unknown,
): Promise<void> {
  const { partnerId, paymentId, payrollId, bankRequestId } = submission
  const detail = idDetailOf(submission, cause)
  const reason = reasonOf(cause, payrollId !== undefined)
  context.log.warn({ paymentId, bankRequestId, outcome, reason }, 'the bank did not accept an order')
  if (outcome === 'rejected') {
    await deleteRejected(context, { partnerId, paymentId }, reason)
  } else {
    const incident = isOutOfService(cause) ? await incidentOf(context, { partnerId, id: paymentId }) : {}
    await raiseUnknownOutcome(context, { partnerId, paymentId }, { bankRequestId, reason, ...incident })
    if (detail !== undefined) {
      // The task may have been raised by recovery, which does not know the bank's id.
      const subject = { partnerId, kind: 'UnknownOutcome', subjectId: paymentId } as const
      await addTaskDetail(context, { ...subject, detail })
    }
  }
}

function idDetailOf({ bankPaymentId }: FailedSubmission, cause: unknown): Record<string, string> | undefined {
  if (cause instanceof UnusableOrderIdError) {
    return { unusableBankPaymentId: cause.quotedId }
  }
  return bankPaymentId === undefined ? undefined : { bankPaymentId }
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
  await tryRecordOutcome(context, submission, () => failSubmission(context, submission, 'unknown', cause))
}

/** The bank's id is always logged, and added to the task if that can be written; otherwise recovery raises one without it. */
export async function failAcknowledgement(
  context: Context,
  submission: FailedSubmission & { readonly bankPaymentId: string },
  error: unknown,
): Promise<void> {
  const { paymentId, bankRequestId, bankPaymentId } = submission
  const message = 'the acknowledgement of an order could not be recorded'
  context.log.error({ paymentId, bankRequestId, bankPaymentId, error }, message)
  await tryRecordUnknownOutcome(context, submission, error)
}

/**
 * Bank errors of payrolls are redacted already; the messages of other errors may contain what was sent, their names do
 * not.
 */
function reasonOf(cause: unknown, isOfPayroll: boolean): string {
  if (!(cause instanceof Error)) {
    return String(cause)
  }
  return isOfPayroll && !(cause instanceof BankError) ? cause.name : cause.message
}

/** A rejection that arrives after recovery has taken over counts as well. */
async function deleteRejected(
  context: Context,
  { partnerId, paymentId }: Pick<Submission, 'partnerId' | 'paymentId'>,
  reason: string,
): Promise<void> {
  const before = await deleteSubmission(context.database, { partnerId, id: paymentId })
  if (before === 'unknown') {
    const subject = { partnerId, kind: 'UnknownOutcome', subjectId: paymentId } as const
    await resolveTaskAutomatically(context, subject, `the bank rejected the order late: ${reason}`)
  }
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
  return { [INCIDENT]: open ?? `${bank} ${now.round('minute')}` }
}

/** The task comes first: after a crash in between, recovery takes over the submission and finds the task. */
async function raiseUnknownOutcome(
  context: Context,
  { partnerId, paymentId }: Pick<Submission, 'partnerId' | 'paymentId'>,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  const subject = { partnerId, kind: 'UnknownOutcome', subjectType: 'payment', subjectId: paymentId } as const
  await raiseTask(context, { ...subject, detail })
  if (!(await recordUnknownOutcome(context.database, { partnerId, id: paymentId }))) {
    const payment = await findPayment(context.database, { partnerId, id: paymentId })
    if (payment === undefined || !isOutcomeUnknown(payment)) {
      await resolveTaskAutomatically(context, subject, 'the outcome became known meanwhile')
    }
  }
}
