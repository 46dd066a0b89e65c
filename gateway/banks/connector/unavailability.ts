/** Describes in a clause for partners why a bank is unavailable. */
import { type BankError, BankUnreachable, UnreadableAnswerError } from './bank-error.ts'

/** Of an error that says that the bank did nothing, or that its answer is unknown. */
export function unavailabilityOf(error: BankError): string {
  if (error instanceof UnreadableAnswerError) {
    return 'The bank answered in a form that Havn cannot read'
  }
  if (error.laterCalls.isRateLimit) {
    return 'The bank limits how often it is called'
  }
  return error.cause instanceof BankUnreachable && error.cause.tlsCode !== null
    ? 'No secure connection to the bank can be established'
    : 'The bank cannot be reached at present'
}

/** Of an error that says that the bank may have done it. */
export function missingAnswerOf(error: BankError): string {
  return error instanceof UnreadableAnswerError ? unavailabilityOf(error) : 'The bank did not answer'
}
