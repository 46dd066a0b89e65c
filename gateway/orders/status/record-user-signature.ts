/** Records that a user has signed an order, as the bank has just reported. */
import type { Context } from '../../context.ts'
import type { Payment } from '../payment.ts'
import { writeSigned } from '../store/payment-status-store.ts'

/** Records a user's signature and schedules an immediate poll of the payment at its bank. */
export async function recordUserSignature({ database, clock }: Context, payment: Payment): Promise<void> {
  await writeSigned(database, payment, clock.now())
}
