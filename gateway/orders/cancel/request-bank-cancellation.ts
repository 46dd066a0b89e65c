/** Requests the cancellation of one order at its bank, whose lease is held, and records the answer. */

import { BankError } from '../../banks/connector/bank-error.ts'
import { isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import type { AcknowledgedPayment } from '../payment.ts'
import { type BankUser, withBankAccess } from '../status/bank-access.ts'
import { recordBankCancellation } from '../status/cancel-unsigned-order.ts'
import { pollPayment } from '../status/poll-payment.ts'
import type { CancellationDecision, CancellationPart, OrderCancellation } from './cancellation.ts'
import { postponeParts } from './cancellation-store.ts'
import { completeCancellation, recordCancellationEnd } from './complete-cancellation.ts'

/**
 * Polling and ending an open approval, deleting its basket, cancelling the order, starting the SCA of that, and polling the
 * order at the end.
 */
const CALLS_MAX = 8
/** Margin for our own database statements. */
const OWN_SECONDS = 30
const RETRY_AFTER = { seconds: 10 }

/** Longer than all calls for one order together may take. */
export function leaseSeconds({ config }: Context): number {
  return CALLS_MAX * callSecondsMax(config) + OWN_SECONDS
}

/** The end of a lease that starts now, in wall time. */
export function leaseUntil(context: Context): Temporal.Instant {
  return context.clock.real().add({ seconds: leaseSeconds(context) })
}

/** `authorisation-required`: the bank cancels nothing until a user has signed that. */
export type BankAnswer = CancellationDecision | 'authorisation-required' | 'unanswered'

/**
 * The request is idempotent. `isRepeated` if an earlier one may have reached the bank and its answer was lost: an order that
 * is gone by then was cancelled. Throws if no request was sent, or if the bank certainly did nothing.
 */
export async function requestBankCancellation(
  context: Context,
  { part, order }: OrderCancellation,
  user: BankUser,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<BankAnswer> {
  try {
    const answer = await withBankAccess(context, order, user, ({ payments, caller }) =>
      payments.cancellation.cancel(caller, order, part.bankRequestId),
    )
    return answer === 'accepted' ? await recordAccepted(context, order) : answer
  } catch (error) {
    return isRepeated && isResourceGone(error)
      ? await recordAccepted(context, order)
      : answerFromError(context, part, error)
  }
}

/** Recorded before the lease is released, so that the order is never resubmitted, whatever status the bank reports next. */
async function recordAccepted(context: Context, order: AcknowledgedPayment): Promise<CancellationDecision> {
  await recordBankCancellation(context, order)
  return { yes: true }
}

/** An order that the bank no longer has cannot be cancelled. */
function answerFromError(
  context: Context,
  { id: cancellationId }: CancellationPart,
  error: unknown,
): CancellationDecision | 'unanswered' {
  if (!(error instanceof BankError)) {
    throw error
  }
  switch (error.kind) {
    case 'cancellation-rejected':
    case 'unknown-resource':
    case 'expired-resource':
      return { yes: false, reason: error.message }
    case 'outcome-unknown':
      context.log.warn({ cancellationId }, 'a bank did not answer a cancellation')
      return 'unanswered'
    default:
      throw error
  }
}

/**
 * Returns the part in its new status; `REQUESTED` if the bank did not answer, which a sweep recovers. A cancelled order
 * replaces the missing answer; any other status may still change, so it is polled again later.
 */
export async function recordBankAnswer(
  context: Context,
  { part, order }: OrderCancellation,
  answer: Exclude<BankAnswer, 'authorisation-required'>,
): Promise<CancellationPart> {
  if (answer !== 'unanswered') {
    return await completeCancellation(context, part, answer)
  }
  const polled = await pollPayment(context, order)
  if (polled.status === 'Cancelled') {
    return await recordCancellationEnd(context, part, { yes: true }, polled)
  }
  await postponeParts(context.database, [part], context.clock.real().add(RETRY_AFTER))
  return part
}
