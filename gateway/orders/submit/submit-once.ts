/** Submits a stored order to its bank once and returns the outcome: acknowledged, rejected or unknown. */

import { type Static, Type } from 'typebox'
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isCertainlyNotExecuted } from '../../banks/connector/bank-error-classification.ts'
import type { BulkInitiationResult, InitiationRequest } from '../../banks/connector/bank-order.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { bankCallerOf } from '../../consents/tokens/bank-caller.ts'
import { withTokenRetry } from '../../consents/tokens/with-token-retry.ts'
import type { Context } from '../../context.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { withoutRedaction } from '../../platform/observability/log.ts'
import { submitWithRedactedBankText } from '../redact-bank-text.ts'
import type { Submission } from './submission.ts'

/** Submits one order to the bank. */
export type InitiateOrder<Result extends BulkInitiationResult = BulkInitiationResult> = (
  caller: BankCaller,
  request: InitiationRequest,
) => Promise<Result>

export type InitiationOutcome<Result extends BulkInitiationResult> =
  | { readonly outcome: 'acknowledged'; readonly result: Result }
  /** The bank certainly does not hold the order. */
  | { readonly outcome: 'rejected'; readonly error: BankError }
  /** The bank may hold the order, which is therefore never submitted again. */
  | { readonly outcome: 'unknown'; readonly cause: unknown }

/** The parts of a stored submission that its first and only call needs. */
type SubmissionOfCall = Pick<Submission, 'paymentId' | 'instruction' | 'endToEndId' | 'bankRequestId' | 'notification'>

/**
 * The submission must be stored before. `initiate` is called again only after the bank has rejected the access token,
 * and so has done nothing. Bank texts about private orders are redacted.
 */
export async function submitOnce<Result extends BulkInitiationResult>(
  context: Context,
  caller: Pick<ConsentCaller, 'consent' | 'psu'>,
  bank: Bank,
  submission: SubmissionOfCall,
  initiate: InitiateOrder<Result>,
): Promise<InitiationOutcome<Result>> {
  // The log is the only record of what is submitted after the point in time to which a database is restored.
  const log = withoutRedaction(context.log)
  log.info(loggedFields(caller, bank, submission), SUBMITTED)
  const answer = await callBank(context, caller, bank, submission, initiate)
  const { bankRequestId } = submission
  const bankPaymentId = answer.outcome === 'acknowledged' ? answer.result.bankPaymentId : undefined
  log.info({ bankRequestId, outcome: answer.outcome, bankPaymentId }, SUBMISSION_ENDED)
  return answer
}

/** What the log says of a submission; of a private one only its ids. */
function loggedFields(
  { consent }: Pick<ConsentCaller, 'consent'>,
  { bic: bank }: Bank,
  { paymentId, instruction, endToEndId, bankRequestId }: SubmissionOfCall,
): Readonly<Record<string, unknown>> {
  const { partnerId, id: consentId } = consent
  const ids = { partnerId, paymentId, ...instruction.named, consentId, bank, bankRequestId }
  return instruction.isPrivate ? ids : { ...ids, endToEndId }
}

async function callBank<Result extends BulkInitiationResult>(
  context: Context,
  { consent, psu }: Pick<ConsentCaller, 'consent' | 'psu'>,
  bank: Bank,
  submission: SubmissionOfCall,
  initiate: InitiateOrder<Result>,
): Promise<InitiationOutcome<Result>> {
  const { paymentId, instruction, bankRequestId: requestId, notification } = submission
  try {
    const subject = { partnerId: consent.partnerId, consentId: consent.id, service: 'PIS' } as const
    const result = await withTokenRetry(context, subject, async () => {
      const bankCaller = await bankCallerOf(context, {
        bank,
        consent,
        service: 'PIS',
        psu,
        aboutPayments: instruction.isPrivate ? [] : [paymentId],
      })
      const submit = () => initiate(bankCaller, { requestId, notification })
      return instruction.isPrivate ? await submitWithRedactedBankText(submit) : await submit()
    })
    return { outcome: 'acknowledged', result }
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      // Tokens are read before each call, and a connector never uses the database: the bank was not asked, or rejected
      // the token.
      const notCalled = new BankError('unavailable', 'The bank was not called: the database is away', [], error)
      return { outcome: 'rejected', error: notCalled }
    }
    return isCertainlyNotExecuted(error) ? { outcome: 'rejected', error } : { outcome: 'unknown', cause: error }
  }
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
