/** Completes the cancellation of an order: polls the order at its bank and records the resulting status. */
import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { findOrderOf } from '../find-orders.ts'
import { isAcknowledged, isFinal, type Payment } from '../payment.ts'
import { recordBankCancellation } from '../status/cancel-unsigned-order.ts'
import { pollPayment, restartPolling } from '../status/poll-payment.ts'
import { type CancellationDecision, type CancellationPart, cancellationEndOf } from './cancellation.ts'
import { changePartStatus, findCancellationPart } from './cancellation-store.ts'

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
  const before = await orderOf(context, part)
  if (decision.yes && isAcknowledged(before) && before.bankPaymentId === part.bankPaymentId) {
    await recordBankCancellation(context, before)
  }
  const order = await pollPayment(context, await orderOf(context, part))
  if (decision.yes && !isFinal(order)) {
    await restartPolling(context, order, SHOWN_WITHIN)
  }
  return order
}

export async function orderOf(context: Context, { partnerId, paymentId }: CancellationPart): Promise<Payment> {
  return await findOrderOf(context, partnerId, paymentId)
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
