/** Requests the cancellation of one order at its bank, whose lease is held, and records the answer with the order's status after it. */
import { isBankError } from '../../banks/connector/bank-error-classification.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { findOrderOf } from '../find-orders.ts'
import { type AcknowledgedPayment, isAcknowledged, isFinal, type Payment } from '../payment.ts'
import { type BankAccess, type BankUser, withBankAccess } from '../status/bank-access.ts'
import { cancelAtBank } from '../status/cancel-at-bank.ts'
import { pollPayment, restartPolling } from '../status/poll-payment.ts'
import { recordBankCancellation } from '../store/expired-order-store.ts'
import {
  type CancellationDecision,
  type CancellationPart,
  cancellationEndOf,
  type OrderCancellation,
} from './cancellation.ts'
import { changePartStatus, findCancellationPart, postponeParts } from './cancellation-store.ts'

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
    const cancel = (at: BankAccess) => cancelAtBank(at, order, part.bankRequestId)
    const cancellation = await withBankAccess(context, order, cancel, user)
    switch (cancellation.answer) {
      case 'accepted':
        return await recordAccepted(context, order)
      case 'authorisation-required':
        return cancellation.answer
      case 'gone':
        return isRepeated ? await recordAccepted(context, order) : { yes: false, reason: cancellation.text }
      case 'rejected':
        return { yes: false, reason: cancellation.text }
    }
  } catch (error) {
    if (isBankError(error, 'outcome-unknown')) {
      context.log.warn({ cancellationId: part.id }, 'a bank did not answer a cancellation')
      return 'unanswered'
    }
    throw error
  }
}

/** Recorded before the lease is released, so that the order is never resubmitted, whatever status the bank reports next. */
async function recordAccepted(context: Context, order: AcknowledgedPayment): Promise<CancellationDecision> {
  await recordBankCancellation(context, order)
  return { yes: true }
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

/** Banks take a while to show in an order's status that they have accepted its cancellation. */
const SHOWN_WITHIN = { seconds: 10 }

/** Returns the final part, which a concurrent process may have ended. An unreachable bank is polled later. */
export async function completeCancellation(
  context: Context,
  part: CancellationPart,
  decision: CancellationDecision,
): Promise<CancellationPart> {
  return await recordCancellationEnd(context, part, decision, await pollDecidedOrder(context, part, decision))
}

/** Records a signature that was given after the cancellation had ended: its status stays, and the order is polled. */
export async function recordLateCancellationSignature(context: Context, part: CancellationPart): Promise<void> {
  await pollDecidedOrder(context, part, { yes: true })
}

/** An acceptance is recorded first, unless it was of an order that was resubmitted since. */
async function pollDecidedOrder(
  context: Context,
  part: CancellationPart,
  decision: CancellationDecision,
): Promise<Payment> {
  const { partnerId, paymentId } = part
  const before = await findOrderOf(context, partnerId, paymentId)
  if (decision.yes && isAcknowledged(before) && before.bankPaymentId === part.bankPaymentId) {
    await recordBankCancellation(context, before)
  }
  const order = await pollPayment(context, await findOrderOf(context, partnerId, paymentId))
  if (decision.yes && !isFinal(order)) {
    await restartPolling(context, order, SHOWN_WITHIN)
  }
  return order
}

/** Records the final status of the part, given the order as just polled. */
export async function recordCancellationEnd(
  context: Context,
  part: CancellationPart,
  decision: CancellationDecision,
  order: Payment,
): Promise<CancellationPart> {
  const { partnerId, id, paymentId } = part
  const end = cancellationEndOf(decision, order)
  const isChanged = await inTransaction(context, async (context) => {
    const isFirst = await changePartStatus(context.database, part, end, context.clock.now())
    if (isFirst) {
      const detail = { cancellationId: id, ...end, paymentStatus: order.status }
      const entry = { partnerId, actor: 'havn', action: 'payment cancellation ended', detail } as const
      await writeAuditEntry(context, { ...entry, subject: ['payment', paymentId] })
    }
    return isFirst
  })
  const ended = { ...part, ...end }
  return isChanged ? ended : ((await findCancellationPart(context.database, part)) ?? ended)
}
