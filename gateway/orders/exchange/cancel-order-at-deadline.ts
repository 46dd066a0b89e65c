/** Cancels the order of an exchange that was not signed in time; the bank's status after that decides the exchange. */

import { BankError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { paymentTask, raiseTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { isAcknowledged, type Payment } from '../payment.ts'
import { withBankAccess } from '../status/bank-access.ts'
import { cancelAtBank } from '../status/cancel-at-bank.ts'
import { pollPayment } from '../status/poll-payment.ts'
import { recordBankCancellation } from '../store/expired-order-store.ts'
import { recordExchangeState } from './apply-deal-to-payment.ts'

/** The bank's answer to the cancellation. */
type DeadlineAnswer = 'taken' | 'not-possible' | 'unanswered'

const TOO_LATE = 'The payment was not signed before its deadline, and the bank does not cancel the order'

/** By then a signature in time is visible, at banks that update the status after the signature. */
const SHOWS_WITHIN = { seconds: 30 }

/** The updated payment and the time of the next check; null for the regular schedule. */
export type DeadlineResult = { readonly payment: Payment; readonly nextCheckAt: Temporal.Instant | null }

/** The exchange remains `unsigned` while the bank does not show the result of the cancellation. */
export async function cancelOrderAtDeadline(context: Context, payment: Payment): Promise<DeadlineResult> {
  const answer = await cancelOrderAtBank(context, payment)
  if (answer === 'unanswered') {
    return { payment, nextCheckAt: null }
  }
  // A signature may have come first: the bank's status decides.
  const polled = await pollPayment(context, payment)
  const wasReadAgain = polled !== payment && polled.unreadSince === null
  const isStillThere = polled.exchange === 'unsigned' && wasReadAgain
  if (answer !== 'not-possible' || !isStillThere) {
    return { payment: polled, nextCheckAt: null }
  }
  // The rejection may be due to a signature: the order counts as unsigned only once a signature would be visible.
  const showsBy = (payment.deadlineAt ?? payment.statusAt).add(SHOWS_WITHIN)
  if (Temporal.Instant.compare(context.clock.now(), showsBy) < 0) {
    return { payment: polled, nextCheckAt: showsBy }
  }
  // The exchange is cancelled nevertheless: money that arrives for the order is returned.
  await raiseNotCancellableTask(context, polled)
  return { payment: await recordExchangeState(context, polled, 'uncancellable', TOO_LATE), nextCheckAt: null }
}

/**
 * Cancels an order whose exchange was cancelled while its bank could not be read, or while it was unknown whether the bank
 * holds it. Returns true when that is done or left to operators, false to retry.
 */
export async function cancelOrderOfCancelledExchange(context: Context, payment: Payment): Promise<boolean> {
  const isLeftToOperators = await wasTaskRaised(context, paymentTask(payment, 'CannotBeWithdrawn'))
  if (isLeftToOperators) {
    return true
  }
  const answer = await cancelOrderAtBank(context, payment)
  if (answer === 'not-possible') {
    await raiseNotCancellableTask(context, payment)
  } else if (answer === 'taken') {
    await pollPayment(context, payment)
  }
  return answer !== 'unanswered'
}

async function raiseNotCancellableTask(context: Context, payment: Payment): Promise<void> {
  const { bic: bank, bankPaymentId, deadlineAt } = payment
  const detail = { bank, bankPaymentId, deadline: deadlineAt?.toString() ?? null, text: TOO_LATE }
  await raiseTask(context, { ...paymentTask(payment, 'CannotBeWithdrawn'), detail })
}

/** Idempotent: an order that no longer exists counts as cancelled. */
async function cancelOrderAtBank(context: Context, payment: Payment): Promise<DeadlineAnswer> {
  if (!isAcknowledged(payment)) {
    return 'unanswered'
  }
  if (payment.cancellationAcceptedAt !== null) {
    return 'taken'
  }
  try {
    const { answer } = await withBankAccess(context, payment, (at) => cancelAtBank(at, payment))
    if (answer !== 'accepted' && answer !== 'gone') {
      return 'not-possible'
    }
  } catch (error) {
    if (!(error instanceof BankError)) {
      throw error
    }
    context.log.warn(
      { paymentId: payment.id, errorKind: error.kind },
      'an order past its deadline could not be cancelled',
    )
    return 'unanswered'
  }
  await recordBankCancellation(context, payment)
  return 'taken'
}
