/** Checks before a payroll is signed that the bank holds all of it, and waits for the worker that submits the rest. */
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { monotonicMilliseconds } from '../../platform/clock.ts'
import { apiError, invalidRequest } from '../../platform/http/errors/api-error.ts'
import { notifyDue } from '../../platform/jobs/due-row-notification.ts'
import { waitUntil } from '../../platform/wait-until.ts'
import { listPayrollOrders } from '../find-orders.ts'
import { hasEndedUnpaid } from '../payment.ts'
import type { Payroll } from '../payroll.ts'
import type { SubmissionCounts } from '../store/payroll-progress-store.ts'
import { findPayroll } from '../store/payroll-store.ts'
import { requestSubmission } from '../store/payroll-submission-store.ts'
import { updateSubmissionState } from './maintain-payroll.ts'

/** The approximate throughput of a bank for one payroll, for `Retry-After`. */
const TRANSACTIONS_PER_SECOND = 5
const RETRY_SECONDS = { least: 1, most: 30 }
/** A user waits at the screen; a longer submission is continued by a repeated request. */
const SUBMISSION_WAIT_MILLISECONDS = 20_000
const POLL_INTERVAL_MILLISECONDS = 250
/** What stopped the submission may have ended meanwhile. */
const REQUEST_EVERY_MILLISECONDS = 5_000

/** The path of the payroll in the request, and until when, in monotonic time, to wait for the bank. */
export type SubmissionDeadline = { readonly path: string; readonly until: number }

/** Until when one request waits for the submission of its payrolls. */
export function submissionDeadline(): number {
  return monotonicMilliseconds() + SUBMISSION_WAIT_MILLISECONDS
}

/**
 * Waits for the submission; one that has stopped for lack of a consent is continued under the caller's. Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE`
 * with `Retry-After` when that takes longer, `conflict` while the outcome of a transaction is unknown, 422 at the path for
 * a payroll that has failed. The caller must have been checked against the payroll's bank and company.
 */
export async function requireSubmitted(
  context: Context,
  caller: ConsentCaller,
  payroll: Payroll,
  { path, until }: SubmissionDeadline,
): Promise<void> {
  const { state: storedState } = payroll
  if (storedState === 'submitted') {
    await requireNoneEnded(context, payroll, path)
    return
  }
  let requestAt = 0
  const followSubmission = async () => {
    const counts = await updateSubmissionState(context, payroll)
    const { state, stateText } = (await findPayroll(context.database, payroll)) ?? payroll
    if (state === 'failing' || state === 'failed') {
      const what = state === 'failing' ? ': it has failed, and its orders are being cancelled' : ': it has failed'
      throw invalidRequest(path, `cannot be signed${what}. ${stateText ?? ''}`.trim())
    }
    if (state === 'submitted') {
      return undefined
    }
    const now = monotonicMilliseconds()
    if (counts.waiting > 0 && now >= requestAt) {
      await requestRest(context, caller, payroll)
      requestAt = now + REQUEST_EVERY_MILLISECONDS
    }
    requireSettled(payroll, counts)
    return notSubmittedError(payroll, counts, stateText)
  }
  const waiting = {
    withinMilliseconds: until - monotonicMilliseconds(),
    everyMilliseconds: POLL_INTERVAL_MILLISECONDS,
  }
  const error = await waitUntil(followSubmission, (found) => found === undefined, waiting)
  if (error !== undefined) {
    throw error
  }
}

/** Wakes the worker: the answer, which wakes it too, comes only after the submission. */
async function requestRest(
  { clock, database, log }: Context,
  { consent }: ConsentCaller,
  payroll: Payroll,
): Promise<void> {
  const request = { consentId: consent.id, now: clock.now(), real: clock.real() }
  const isNew = await requestSubmission(database, payroll, request)
  if (isNew) {
    await notifyDue(database).catch((error: unknown) => log.debug({ error }, 'workers could not be notified'))
  }
}

/** Waiting does not help while an outcome at the bank is unknown. */
function requireSettled({ id: payrollId }: Payroll, counts: SubmissionCounts): void {
  const { unknown, waiting, inFlight, blockedBy } = counts
  if (waiting > 0 && inFlight === 0 && blockedBy !== null) {
    throw blockedError(blockedBy)
  }
  if (unknown > 0 && waiting === 0 && inFlight === 0) {
    const message =
      'It is unknown whether the bank accepted a transaction of the payroll. The payroll can be signed once that is known'
    throw apiError('conflict', message, { payrollId })
  }
}

/** The user would sign only a part of the payroll without knowing which. */
async function requireNoneEnded(context: Context, payroll: Payroll, path: string): Promise<void> {
  const { partnerId, id: payrollId, transactionCount: count } = payroll
  const orders = await listPayrollOrders(context, { partnerId, payrollId })
  // Once a signature has started, the rest continues.
  const isSigningStarted = orders.some(({ signed, statusReason }) => signed || statusReason === 'PartlySigned')
  const lost = orders.filter((order) => order.outcome === 'void' || hasEndedUnpaid(order)).length
  if (!isSigningStarted && lost > 0 && lost < orders.length) {
    const ended = `${lost} of its ${count} transactions ended at the bank before they were signed`
    throw invalidRequest(path, `cannot be signed: ${ended}. Cancel it and send a new payroll`)
  }
}

function blockedError(payrollId: string): Error {
  const message =
    'The payroll with this payrollId has a transaction equal to one of this payroll, and its outcome is unknown. The rest ' +
    'is submitted once the outcome is known. Follow that payroll'
  return apiError('conflict', message, { payrollId })
}

function notSubmittedError(
  { id }: Payroll,
  { submitted, count }: SubmissionCounts,
  temporaryFailure: string | null,
): Error {
  const seconds = Math.ceil((count - submitted) / TRANSACTIONS_PER_SECOND)
  const retryAfterSeconds = Math.min(Math.max(seconds, RETRY_SECONDS.least), RETRY_SECONDS.most)
  const why = temporaryFailure === null ? '' : ` The last attempt ended early: ${temporaryFailure}.`
  const message = `The bank holds ${submitted} of the ${count} transactions of payroll ${id}. Try again once it holds all.${why}`
  return apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds })
}
