/** Records a signature that the bank took after its approval had ended: that stays as it ended, the payments are signed. */
import type { Context } from '../context.ts'
import { findOrdersOf, noteSigned } from '../orders/find-payments.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { type Approval, targetOf } from './approval.ts'

/** An order that was placed again since is not the one that was signed. */
export async function recordLateSignature(context: Context, approval: Approval, targetId: string): Promise<void> {
  const signed = approval.payments.filter((approved) => targetOf(approved) === targetId)
  const bankIds = new Set(signed.map(({ bankPaymentId }) => bankPaymentId))
  const ids = signed.map(({ paymentId }) => paymentId)
  for (const payment of await findOrdersOf(context, approval.partnerId, ids)) {
    if (payment.bankPaymentId !== null && bankIds.has(payment.bankPaymentId)) {
      await noteSigned(context, payment)
      await followPayment(context, { ...payment, signed: true })
    }
  }
}
