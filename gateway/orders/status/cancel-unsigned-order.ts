/** Cancels an order at its bank without the user: one that is not fully signed at the end of its due day, or is to be cancelled with others. */

import { BankError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { type AcknowledgedPayment, isAcknowledged, isFinalStatus, type Payment, permits } from '../payment.ts'
import { recordBankCancellation } from '../store/expired-order-store.ts'
import type { BankAccess } from './bank-access.ts'
import { cancelAtBank } from './cancel-at-bank.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

/** Requests the cancellation if due; the payment is cancelled only once the bank reports it. The next poll retries a failed call. */
export async function cancelUnsignedOrder(context: Context, at: BankAccess, payment: Payment): Promise<void> {
  const { profile } = at.bank
  const isOver = Temporal.PlainDate.compare(context.clock.today(profile.timeZone), payment.dueDate) > 0
  const expires = profile.unsignedLifetime === 'due-day'
  if (isOver && expires && permits(payment, 'withdraw') && isAcknowledged(payment)) {
    await requestBankCancellation(context, at, payment).catch((error: unknown) => logBankError(context, payment, error))
  }
}

/** The next poll finds out. Throws any other error. */
function logBankError({ log }: Context, { id: paymentId }: Payment, error: unknown): void {
  if (!(error instanceof BankError)) {
    throw error
  }
  log.warn({ paymentId, errorKind: error.kind }, 'an unsigned order could not be cancelled, or not be read after that')
}

/** The result of a cancellation at the bank; with `for-people` an operator must act. */
type BankCancellationResult = 'taken' | 'for-people' | 'gone'

/**
 * Cancels an order on any day. A cancellation that the bank leaves to operators is requested once. A rejection may mean that
 * the order was cancelled elsewhere meanwhile: it counts only if the order has no final status when it is polled once more.
 * Throws the bank's error where it is to be tried again.
 */
export async function requestBankCancellation(
  context: Context,
  at: BankAccess,
  payment: AcknowledgedPayment,
): Promise<BankCancellationResult> {
  if (await wasTaskRaised(context, paymentTask(payment, 'CannotBeWithdrawn'))) {
    return 'for-people'
  }
  const cancellation = await cancelAtBank(at, payment)
  switch (cancellation.answer) {
    case 'gone':
      return 'gone'
    case 'accepted':
      await recordBankCancellation(context, payment)
      await read(context, at, payment).catch((error: unknown) => logBankError(context, payment, error))
      return 'taken'
    case 'authorisation-required':
      return await leaveToOperators(context, payment, 'The bank requires the user to sign the cancellation')
    case 'rejected':
      return isFinalStatus((await read(context, at, payment)).status)
        ? 'taken'
        : await leaveToOperators(context, payment, cancellation.text)
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

async function leaveToOperators(context: Context, payment: AcknowledgedPayment, text: string): Promise<'for-people'> {
  const { bic: bank, bankPaymentId, dueDate } = payment
  const detail = { bank, bankPaymentId, dueDate: dueDate.toString(), text }
  await raiseTask(context, { ...paymentTask(payment, 'CannotBeWithdrawn'), detail })
  return 'for-people'
}
