/** Cancels an order at its bank without the user: one that is not fully signed at the end of its due day, or is to be cancelled with others. */

import { BankError } from '../../banks/connector/bank-error.ts'
import { isBankError, isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { newBankRequestId } from '../../platform/ids.ts'
import { type AcknowledgedPayment, isAcknowledged, isFinalStatus, type Payment, permits } from '../payment.ts'
import { writeBankCancellation } from '../store/expired-order-store.ts'
import type { BankAccess } from './bank-access.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

/** The result of a cancellation at the bank; `not-now` is retried. */
type BankCancellationResult = 'taken' | 'for-people' | 'gone' | 'not-now'

/** Requests the cancellation if due; the payment is cancelled only once the bank reports it. */
export async function cancelUnsignedOrder(context: Context, at: BankAccess, payment: Payment): Promise<void> {
  const { profile } = at.bank
  const isOver = Temporal.PlainDate.compare(context.clock.today(profile.timeZone), payment.dueDate) > 0
  const expires = profile.unsignedLifetime === 'due-day'
  if (isOver && expires && permits(payment, 'withdraw') && isAcknowledged(payment)) {
    await requestBankCancellation(context, at, payment)
  }
}

/** Cancels an order on any day. A cancellation that the bank leaves to operators is requested once. */
export async function requestBankCancellation(
  context: Context,
  at: BankAccess,
  payment: AcknowledgedPayment,
): Promise<BankCancellationResult> {
  if (await wasTaskRaised(context, paymentTask(payment, 'CannotBeWithdrawn'))) {
    return 'for-people'
  }
  try {
    const answer = await at.payments.cancellation.cancel(at.caller, payment, newBankRequestId())
    if (answer === 'authorisation-required') {
      await raiseCannotBeCancelled(context, payment, 'The bank requires the user to sign the cancellation')
      return 'for-people'
    }
    await recordBankCancellation(context, payment)
    await read(context, at, payment)
    return 'taken'
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    return await handleCancellationError(context, at, payment, error)
  }
}

async function read(
  context: Context,
  { payments, caller }: BankAccess,
  payment: AcknowledgedPayment,
): Promise<Payment> {
  const observation = await payments.read(caller, payment, { signed: payment.signed })
  return await recordPaymentStatus(context, payment, observation)
}

/**
 * A failed call is retried at the next poll, which is scheduled already. A rejection may mean that the order was cancelled
 * elsewhere meanwhile: it counts only if the order has no final status when it is polled once more.
 */
async function handleCancellationError(
  context: Context,
  at: BankAccess,
  payment: AcknowledgedPayment,
  error: BankError,
): Promise<BankCancellationResult> {
  context.log.warn({ paymentId: payment.id, errorKind: error.kind }, 'the bank did not cancel an unsigned order')
  if (!isBankError(error, 'cancellation-rejected')) {
    return isResourceGone(error) ? 'gone' : 'not-now'
  }
  const polled = await read(context, at, payment)
  if (isFinalStatus(polled.status)) {
    return 'taken'
  }
  await raiseCannotBeCancelled(context, payment, error.message)
  return 'for-people'
}

async function raiseCannotBeCancelled(context: Context, payment: AcknowledgedPayment, text: string): Promise<void> {
  const { bic: bank, bankPaymentId, dueDate } = payment
  const detail = { bank, bankPaymentId, dueDate: dueDate.toString(), text }
  await raiseTask(context, { ...paymentTask(payment, 'CannotBeWithdrawn'), detail })
}

/** The order is never resubmitted after that. */
export async function recordBankCancellation(
  { database, clock }: Context,
  payment: AcknowledgedPayment,
): Promise<void> {
  await writeBankCancellation(database, payment, clock.now())
}
