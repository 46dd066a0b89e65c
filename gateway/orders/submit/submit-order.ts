/** Submits a stored order to its bank once and records what becomes of it when the bank does not acknowledge it. */

import { type Static, Type } from 'typebox'
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError, retryAfterOf, UnreadableAnswerError } from '../../banks/connector/bank-error.ts'
import { isCertainlyNotExecuted } from '../../banks/connector/bank-error-classification.ts'
import type { BulkInitiationResult, InitiationRequest } from '../../banks/connector/bank-order.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import { callBank } from '../../consents/call-bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { withoutRedaction } from '../../platform/observability/log.ts'
import { submitWithRedactedBankText } from '../redact-bank-text.ts'
import { outcomeUnknownError, rejectSubmission, tryRecordOutcome, tryRecordUnknownOutcome } from './fail-submission.ts'
import type { Submission } from './submission.ts'

/** The bank of a submission, and the call that gives it the order. */
type SubmissionTarget = {
  readonly bank: Bank
  readonly initiate: InitiateOrder
  /** Ends a rejected submission; by default the submission is deleted. That of an exchange is after its deal is cancelled. */
  readonly onRejected?: (error: BankError) => Promise<unknown>
}

/** A rejection ends the submission, an unclear answer leaves an unknown outcome, and so does a rejection that cannot be recorded. */
export async function submitOrder(
  context: Context,
  caller: Pick<ConsentCaller, 'consent' | 'psu'>,
  submission: Submission,
  { bank, initiate, onRejected }: SubmissionTarget,
): Promise<InitiationOutcome> {
  const answer = await submitOnce(context, caller, bank, submission, initiate)
  switch (answer.outcome) {
    case 'acknowledged':
      return answer
    case 'rejected': {
      const { error } = answer
      const end = async () => await (onRejected?.(error) ?? rejectSubmission(context, submission, error))
      return (await tryRecordOutcome(context, submission, end)) ? answer : { outcome: 'unknown', cause: undefined }
    }
    case 'unknown':
      await tryRecordUnknownOutcome(context, submission, answer.cause)
      return answer
  }
}

/** Returns the acknowledgement to the request that waits for it. Throws the partner's error without one. */
export async function submitRequestedOrder(
  context: Context,
  caller: ConsentCaller,
  submission: Submission,
  { toApiError, ...target }: SubmissionTarget & { readonly toApiError: (error: BankError) => Error },
): Promise<BulkInitiationResult> {
  const answer = await submitOrder(context, caller, submission, target)
  switch (answer.outcome) {
    case 'acknowledged':
      return answer.result
    case 'rejected':
      throw toApiError(answer.error)
    case 'unknown':
      throw outcomeUnknownError(
        submission,
        answer.cause instanceof UnreadableAnswerError ? 'unreadable' : 'unanswered',
        retryAfterOf(answer.cause),
      )
  }
}

/** Submits one order to the bank. */
export type InitiateOrder = (caller: BankCaller, request: InitiationRequest) => Promise<BulkInitiationResult>

type InitiationOutcome =
  | { readonly outcome: 'acknowledged'; readonly result: BulkInitiationResult }
  /** The bank certainly does not hold the order. */
  | { readonly outcome: 'rejected'; readonly error: BankError }
  /** The bank may hold the order, which is therefore never submitted again. */
  | { readonly outcome: 'unknown'; readonly cause: unknown }

/**
 * The submission must be stored before. `initiate` is called again only after the bank has rejected the access token,
 * and so has done nothing. Bank texts about private orders are redacted.
 */
export async function submitOnce(
  context: Context,
  caller: Pick<ConsentCaller, 'consent' | 'psu'>,
  bank: Bank,
  submission: Pick<
    Submission,
    'paymentId' | 'instruction' | 'endToEndId' | 'bankRequestId' | 'notification' | 'recoverAt'
  >,
  initiate: InitiateOrder,
): Promise<InitiationOutcome> {
  const { paymentId, instruction, endToEndId, bankRequestId, notification, recoverAt } = submission
  const { partnerId, id: consentId } = caller.consent
  // The log is the only record of what is submitted after the point in time to which a database is restored.
  const log = withoutRedaction(context.log)
  const ids = { partnerId, paymentId, ...instruction.named, consentId, bank: bank.bic, bankRequestId }
  log.info(instruction.isPrivate ? ids : { ...ids, endToEndId }, SUBMITTED)
  const aboutPayments = instruction.isPrivate ? [] : [paymentId]
  const answer = await callBank(context, { ...caller, bank, service: 'PIS', aboutPayments }, async (bankCaller) => {
    // Recovery has taken over: operators may see that the bank does not hold the order, and it must not get it after that.
    if (Temporal.Instant.compare(context.clock.real(), recoverAt) >= 0) {
      throw new BankError('unavailable', 'The bank was not called: the submission took too long')
    }
    const call = { requestId: bankRequestId, notification }
    return instruction.isPrivate
      ? await submitWithRedactedBankText(() => initiate(bankCaller, call))
      : await initiate(bankCaller, call)
  }).then((result) => ({ outcome: 'acknowledged', result }) as const, outcomeOfError)
  const bankPaymentId = answer.outcome === 'acknowledged' ? answer.result.bankPaymentId : undefined
  log.info({ bankRequestId, outcome: answer.outcome, bankPaymentId }, SUBMISSION_ENDED)
  return answer
}

function outcomeOfError(error: unknown): InitiationOutcome {
  if (error instanceof DatabaseUnavailable) {
    // Tokens are read before each call, and a connector never uses the database: the bank was not asked, or rejected
    // the token.
    const notCalled = new BankError('unavailable', 'The bank was not called: the database is away', [], error)
    return { outcome: 'rejected', error: notCalled }
  }
  return isCertainlyNotExecuted(error) ? { outcome: 'rejected', error } : { outcome: 'unknown', cause: error }
}

/** Written before a bank is called, so that an order without it was never submitted. */
export const SUBMITTED = 'an order is submitted to its bank'
/** Written as soon as the bank has answered, or could not be understood. */
export const SUBMISSION_ENDED = 'the submission of an order has ended'

const Id = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

/** The fields of a submission. Private orders are named by their payroll only. */
export const LoggedSubmission = Type.Object({
  time: Type.String(),
  msg: Type.Literal(SUBMITTED),
  partnerId: Id,
  paymentId: Id,
  payrollId: Type.Optional(Id),
  consentId: Id,
  bank: Type.String(),
  bankRequestId: Id,
  endToEndId: Type.Optional(Type.String()),
})
export type LoggedSubmission = Static<typeof LoggedSubmission>

/** The fields of the end of a submission. */
export const LoggedSubmissionEnd = Type.Object({
  msg: Type.Literal(SUBMISSION_ENDED),
  bankRequestId: Id,
  outcome: Type.Enum(['acknowledged', 'rejected', 'unknown']),
  bankPaymentId: Type.Optional(Type.String()),
})
export type LoggedSubmissionEnd = Static<typeof LoggedSubmissionEnd>
