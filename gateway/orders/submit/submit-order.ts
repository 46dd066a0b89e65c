/** Submits a stored order to its bank once and records what becomes of it when the bank does not acknowledge it. */

import type { Bank } from '../../banks/connector/bank.ts'
import { type BankError, retryAfterOf, UnreadableAnswerError } from '../../banks/connector/bank-error.ts'
import type { BulkInitiationResult } from '../../banks/connector/bank-order.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { outcomeUnknownError, rejectSubmission, tryRecordOutcome, tryRecordUnknownOutcome } from './fail-submission.ts'
import type { Submission } from './submission.ts'
import { type InitiateOrder, type InitiationOutcome, submitOnce } from './submit-once.ts'

/** The bank of a submission, and the call that gives it the order. */
export type SubmissionTarget<Result extends BulkInitiationResult = BulkInitiationResult> = {
  readonly bank: Bank
  readonly initiate: InitiateOrder<Result>
  /** Ends a rejected submission; by default the submission is deleted. That of an exchange is after its deal is cancelled. */
  readonly onRejected?: (error: BankError) => Promise<unknown>
}

/** A rejection ends the submission, an unclear answer leaves an unknown outcome, and so does a rejection that cannot be recorded. */
export async function submitOrder<Result extends BulkInitiationResult>(
  context: Context,
  caller: Pick<ConsentCaller, 'consent' | 'psu'>,
  submission: Submission,
  { bank, initiate, onRejected }: SubmissionTarget<Result>,
): Promise<InitiationOutcome<Result>> {
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
export async function submitRequestedOrder<Result extends BulkInitiationResult>(
  context: Context,
  caller: ConsentCaller,
  submission: Submission,
  { toApiError, ...target }: SubmissionTarget<Result> & { readonly toApiError: (error: BankError) => Error },
): Promise<Result> {
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
