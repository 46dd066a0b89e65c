/** Ends a cancellation: the payment is read at its bank, and what the bank says of it decides. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { findOrderOf, noteWithdrawn } from '../orders/find-payments.ts'
import { isFinal, isHeld, type Payment } from '../orders/payment.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { readSoon } from '../payments/postpone-reading.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { type Cancellation, endOf, type Word } from './cancellation.ts'
import { findCancellation, moveCancellation } from './cancellation-store.ts'

/** Answers the cancellation as it has ended, by us or by whoever was quicker. A bank that cannot be read is read later. */
export async function endCancellation(context: Context, cancellation: Cancellation, word: Word): Promise<Cancellation> {
  const before = await paymentOf(context, cancellation)
  if (word.yes && isHeld(before) && before.bankPaymentId === cancellation.bankPaymentId) {
    await noteWithdrawn(context, before)
  }
  const payment = await followPayment(context, await paymentOf(context, cancellation))
  if (word.yes && !isFinal(payment)) {
    await readSoon(context, payment)
  }
  return await keepEnd(context, cancellation, word, payment)
}

/** Takes a signature that the bank took once the cancellation had ended: that stays as it ended, the payment is read. */
export async function takeLateSignature(context: Context, cancellation: Cancellation): Promise<void> {
  const payment = await paymentOf(context, cancellation)
  if (isHeld(payment) && payment.bankPaymentId === cancellation.bankPaymentId) {
    await noteWithdrawn(context, payment)
    const read = await followPayment(context, payment)
    if (!isFinal(read)) {
      await readSoon(context, read)
    }
  }
}

/** The payment that is to be cancelled. */
export async function paymentOf(context: Context, { partnerId, paymentId }: Cancellation): Promise<Payment> {
  return await findOrderOf(context, partnerId, paymentId)
}

/** Keeps what the wish came to, by the payment as it was just read. */
export async function keepEnd(
  context: Context,
  cancellation: Cancellation,
  word: Word,
  payment: Payment,
): Promise<Cancellation> {
  const { partnerId, id, paymentId } = cancellation
  const end = endOf(word, payment)
  await atomically(context.database, async (within) => {
    if (await moveCancellation(within, cancellation, end, context.clock.now())) {
      const detail = { cancellationId: id, ...end, paymentStatus: payment.status }
      const entry = { partnerId, actor: 'havn', action: 'payment cancellation ended', detail } as const
      await writeAudit({ ...context, database: within }, { ...entry, subject: ['payment', paymentId] })
    }
  })
  return (await findCancellation(context.database, cancellation)) ?? { ...cancellation, ...end }
}
