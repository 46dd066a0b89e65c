/** Records a signature that was given after the approval had ended: its status stays, but the payments count as signed. */
import type { Context } from '../context.ts'
import { findOrdersOf, recordUserSignature } from '../orders/find-payments.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { type Approval, scaTargetIdOf } from './approval.ts'

/** Skips orders that were resubmitted since: they were not signed. */
export async function recordLateSignature(context: Context, approval: Approval, targetId: string): Promise<void> {
  const signed = approval.payments.filter((approved) => scaTargetIdOf(approved) === targetId)
  const bankIds = new Set(signed.map(({ bankPaymentId }) => bankPaymentId))
  const ids = signed.map(({ paymentId }) => paymentId)
  for (const payment of await findOrdersOf(context, approval.partnerId, ids)) {
    if (payment.bankPaymentId !== null && bankIds.has(payment.bankPaymentId)) {
      await recordUserSignature(context, payment)
      await pollPayment(context, { ...payment, signed: true })
    }
  }
}
