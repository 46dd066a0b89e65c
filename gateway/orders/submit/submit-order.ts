/** Submits a stored order to its bank once and ends the submission when the bank does not acknowledge it. */

import { type BankError, retryAfterOf, UnreadableAnswerError } from '../../banks/connector/bank-error.ts'
import type { InitiationRequest, InitiationResult } from '../../banks/connector/bank-order.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { abandonExchange } from '../exchange/abandon-exchange.ts'
import { failSubmission, tryRecordOutcome, tryRecordUnknownOutcome } from './fail-submission.ts'
import { outcomeUnknownError } from './outcome-unknown-error.ts'
import type { Submission } from './submission.ts'
import { submitOnce } from './submit-once.ts'

/** The bank and product of a submission, and the handling of the bank's rejection. */
export type SubmissionTarget<Order, Result extends InitiationResult = InitiationResult> = {
  readonly bank: Bank
  readonly product: {
    initiate(caller: BankCaller, order: Order, request: InitiationRequest): Promise<Result>
  }
  readonly toApiError: (error: BankError) => Error
  /** Ends a rejected submission; by default the submission is deleted. */
  readonly onRejected?: (error: BankError) => Promise<void>
}

/**
 * Returns the acknowledgement. A rejection deletes the submission; any unclear answer leaves a payment with an unknown
 * outcome. Throws the partner's error in both cases.
 */
export async function submitOrder<Order, Result extends InitiationResult>(
  context: Context,
  caller: ConsentCaller,
  submission: Submission<Order>,
  { bank, product, toApiError, onRejected }: SubmissionTarget<Order, Result>,
): Promise<Result> {
  const answer = await submitOnce(context, caller, bank, submission, (bankCaller, request) =>
    product.initiate(bankCaller, submission.order, request),
  )
  switch (answer.outcome) {
    case 'acknowledged':
      return answer.result
    case 'rejected': {
      const { error } = answer
      const end = async () => await (onRejected?.(error) ?? deleteRejected(context, submission, error))
      throw (await tryRecordOutcome(context, submission, end))
        ? toApiError(error)
        : outcomeUnknownError(submission, 'unanswered')
    }
    case 'unknown':
      await tryRecordUnknownOutcome(context, submission, answer.cause)
      throw outcomeUnknownError(
        submission,
        answer.cause instanceof UnreadableAnswerError ? 'unreadable' : 'unanswered',
        retryAfterOf(answer.cause),
      )
  }
}

/** A funding order is deleted only after its deal has been cancelled. */
async function deleteRejected(context: Context, submission: Submission<unknown>, error: BankError): Promise<void> {
  if (submission.exchange === undefined) {
    await failSubmission(context, submission, 'rejected', error)
  } else {
    await abandonExchange(context, submission, error)
  }
}
