/** Submits a stored order to its bank once and ends the submission when the bank does not acknowledge it. */

import type { Bank } from '../../banks/connector/bank.ts'
import { type BankError, retryAfterOf, UnreadableAnswerError } from '../../banks/connector/bank-error.ts'
import type { InitiationRequest, InitiationResult } from '../../banks/connector/bank-order.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { type ApiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { failSubmission, tryRecordOutcome, tryRecordUnknownOutcome } from './fail-submission.ts'
import type { Submission } from './submission.ts'
import { submitOnce } from './submit-once.ts'

/** The bank and product of a submission, and the handling of the bank's rejection. */
export type SubmissionTarget<Order, Result extends InitiationResult = InitiationResult> = {
  readonly bank: Bank
  readonly product: {
    initiate(caller: BankCaller, order: Order, request: InitiationRequest): Promise<Result>
  }
  readonly toApiError: (error: BankError) => Error
  /** Ends a rejected submission; by default the submission is deleted. That of an exchange is after its deal is cancelled. */
  readonly onRejected?: (error: BankError) => Promise<unknown>
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
      const end = async () => await (onRejected?.(error) ?? failSubmission(context, submission, 'rejected', error))
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

/** Partners do not see orders of payrolls: the error names the payroll. The bank may say when it can be asked again. */
export function outcomeUnknownError(
  { paymentId, payrollId }: Pick<Submission, 'paymentId' | 'payrollId'>,
  cause: keyof typeof detailByCause,
  retryAfterSeconds?: number | null,
): ApiError {
  const retryAfter = retryAfterSeconds == null ? undefined : Math.max(1, retryAfterSeconds)
  return payrollId === undefined
    ? outcomeUnknown({ paymentId }, detailByCause[cause]('payment'), retryAfter)
    : outcomeUnknown({ payrollId }, detailByCause[cause]('payroll'), retryAfter)
}
