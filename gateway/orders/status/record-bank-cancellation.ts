/** Records that the bank has accepted the cancellation of an order. */
import type { Context } from '../../context.ts'
import type { AcknowledgedPayment } from '../payment.ts'
import { writeBankCancellation } from '../store/expired-order-store.ts'

/** The order is never resubmitted after that. */
export async function recordBankCancellation(
  { database, clock }: Context,
  payment: AcknowledgedPayment,
): Promise<void> {
  await writeBankCancellation(database, payment, clock.now())
}
