/** Records the state of a payment's exchange and the status that partners see. */
import type { Context } from '../../context.ts'
import type { ExchangeState } from '../exchange-state.ts'
import type { Payment } from '../payment.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'

/** Returns the updated payment. Throws `ConcurrentUpdateError` when the state cannot be reached any more. */
export async function recordExchangeState(
  context: Context,
  payment: Payment,
  to: ExchangeState,
  text: string | null,
): Promise<Payment> {
  const { statusReason, bankStatus } = payment
  const observation = { status: null, statusReason, statusReasonText: text, bankStatus: bankStatus ?? '' }
  return await recordPaymentStatus(context, payment, observation, { move: 'exchange', to })
}
