/** Requests the cancellation of an order at its bank. */
import { isBankError, isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import { newBankRequestId } from '../../platform/ids.ts'
import type { AcknowledgedPayment } from '../payment.ts'
import type { BankAccess } from './bank-access.ts'

/**
 * `accepted`, `authorisation-required` where a user must sign it first, `rejected`, or `gone`: the bank certainly does not
 * hold the order; with the bank's text in the last two.
 */
export type CancellationAnswer =
  | { readonly answer: 'accepted' | 'authorisation-required' }
  | { readonly answer: 'rejected' | 'gone'; readonly text: string }

/** Idempotent with the same `requestId`. Throws any other error of the bank, after which nothing may have been cancelled. */
export async function cancelAtBank(
  { payments, caller }: BankAccess,
  order: AcknowledgedPayment,
  requestId = newBankRequestId(),
): Promise<CancellationAnswer> {
  try {
    return { answer: await payments.cancellation.cancel(caller, order, requestId) }
  } catch (error) {
    if (isResourceGone(error)) {
      return { answer: 'gone', text: error.message }
    }
    if (isBankError(error, 'cancellation-rejected')) {
      return { answer: 'rejected', text: error.message }
    }
    throw error
  }
}
