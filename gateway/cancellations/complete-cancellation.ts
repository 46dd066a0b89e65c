/** Completes a cancellation: polls the payment at its bank and records the resulting status. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { findOrderOf } from '../orders/find-payments.ts'
import { isAcknowledged, isFinal, type Payment } from '../orders/payment.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { recordBankCancellation } from '../orders/status/record-bank-cancellation.ts'
import { pollSoon } from '../orders/status/reschedule-payment-poll.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { type Cancellation, type CancellationDecision, cancellationEndOf } from './cancellation.ts'
import { changeCancellationStatus, findCancellation } from './cancellation-store.ts'

/** Returns the final cancellation, which a concurrent process may have ended. An unreachable bank is polled later. */
export async function completeCancellation(
  context: Context,
  cancellation: Cancellation,
  decision: CancellationDecision,
): Promise<Cancellation> {
  const before = await paymentOf(context, cancellation)
  if (decision.yes && isAcknowledged(before) && before.bankPaymentId === cancellation.bankPaymentId) {
    await recordBankCancellation(context, before)
  }
  const payment = await pollPayment(context, await paymentOf(context, cancellation))
  if (decision.yes && !isFinal(payment)) {
    await pollSoon(context, payment)
  }
  return await recordCancellationEnd(context, cancellation, decision, payment)
}

/** Records a signature that was given after the cancellation had ended: its status stays, and the payment is polled. */
export async function recordLateCancellationSignature(context: Context, cancellation: Cancellation): Promise<void> {
  const payment = await paymentOf(context, cancellation)
  if (isAcknowledged(payment) && payment.bankPaymentId === cancellation.bankPaymentId) {
    await recordBankCancellation(context, payment)
    const polled = await pollPayment(context, payment)
    if (!isFinal(polled)) {
      await pollSoon(context, polled)
    }
  }
}

export async function paymentOf(context: Context, { partnerId, paymentId }: Cancellation): Promise<Payment> {
  return await findOrderOf(context, partnerId, paymentId)
}

/** Records the final status of the cancellation, given the payment as just polled. */
export async function recordCancellationEnd(
  context: Context,
  cancellation: Cancellation,
  decision: CancellationDecision,
  payment: Payment,
): Promise<Cancellation> {
  const { partnerId, id, paymentId } = cancellation
  const end = cancellationEndOf(decision, payment)
  await inTransaction(context, async (context) => {
    if (await changeCancellationStatus(context.database, cancellation, end, context.clock.now())) {
      const detail = { cancellationId: id, ...end, paymentStatus: payment.status }
      const entry = { partnerId, actor: 'havn', action: 'payment cancellation ended', detail } as const
      await writeAuditEntry(context, { ...entry, subject: ['payment', paymentId] })
    }
  })
  return (await findCancellation(context.database, cancellation)) ?? { ...cancellation, ...end }
}
