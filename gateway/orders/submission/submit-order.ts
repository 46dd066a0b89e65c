/** Submits a stored order to its bank once and ends the submission when the bank does not accept it. */

import type { BankError } from '../../banks/connector/bank-error.ts'
import { isCertainlyNotExecuted } from '../../banks/connector/bank-error-classification.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { InitiationRequest, InitiationResult } from '../../banks/connector/order-at-bank.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { psuContextAtBank } from '../../consents/tokens/psu-context.ts'
import { withValidTokens } from '../../consents/tokens/with-valid-tokens.ts'
import type { Context } from '../../context.ts'
import { outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { abandonExchange } from '../exchange/abandon-exchange.ts'
import { submitWithRedactedBankText } from '../payroll/redact-bank-text.ts'
import { failSubmission } from './fail-submission.ts'
import { partnerReferenceOf, type Submission } from './submission.ts'

/** The bank and product of a submission, and the handling of the bank's rejection. */
export type SubmissionTarget<Order, Taken extends InitiationResult = InitiationResult> = {
  readonly bank: Bank
  readonly product: {
    initiate(caller: BankCaller, order: Order, request: InitiationRequest): Promise<Taken>
  }
  readonly toApiError: (error: BankError) => Error
  /** Ends a rejected submission; by default the submission is deleted. */
  readonly onRejected?: (error: BankError) => Promise<void>
}

/**
 * Submits the order once. A rejection deletes the submission; any unclear answer leaves a payment with an unknown
 * outcome. Throws the partner's error in both cases.
 */
export async function submitOrder<Order, Taken extends InitiationResult>(
  context: Context,
  { consent, psu }: ConsentCaller,
  submission: Submission<Order>,
  { bank, product, toApiError, onRejected }: SubmissionTarget<Order, Taken>,
): Promise<Taken> {
  const { order, bankRequestId: requestId, notification } = submission
  try {
    return await withValidTokens(context, { partnerId: consent.partnerId, consentId: consent.id }, async () => {
      const bankCaller = await psuContextAtBank(context, { bank, consent, psu })
      const initiate = () => product.initiate(bankCaller, order, { requestId, notification })
      return submission.payrollId === undefined ? await initiate() : await submitWithRedactedBankText(initiate)
    })
  } catch (error) {
    const isCertain = isCertainlyNotExecuted(error)
    const isRecorded = await tryRecordOutcome(context, submission, async () =>
      isCertain && onRejected !== undefined
        ? await onRejected(error)
        : await endSubmission(context, submission, isCertain, error),
    )
    throw isCertain && isRecorded ? toApiError(error) : outcomeUnknownError(submission)
  }
}

/** A funding order is deleted only after its deal has been cancelled. */
async function endSubmission(
  context: Context,
  submission: Parameters<typeof failSubmission>[1] & Pick<Submission, 'exchange'>,
  isCertain: boolean,
  cause: unknown,
): Promise<void> {
  if (isCertain && submission.exchange !== undefined) {
    await abandonExchange(context, submission, cause)
  } else {
    await failSubmission(context, submission, isCertain ? 'refused' : 'unknown', cause)
  }
}

/**
 * A submission whose end cannot be recorded is left to recovery as an unknown outcome; the order is never submitted
 * twice.
 */
async function tryRecordOutcome(
  context: Context,
  { paymentId }: Pick<Submission, 'paymentId'>,
  record: () => Promise<void>,
): Promise<boolean> {
  try {
    await record()
    return true
  } catch (error) {
    context.log.error({ paymentId, error }, 'the outcome of a submission could not be recorded')
    return false
  }
}

function outcomeUnknownError(submission: Pick<Submission, 'paymentId' | 'payrollId'>): Error {
  const kind = submission.payrollId === undefined ? 'payment' : 'payroll'
  const detail = `the ${kind} may or may not be at the bank. Do not send it again; poll the ${kind} named here`
  return outcomeUnknown(partnerReferenceOf(submission), detail)
}
