/** Records how the exchange of a payment went, and with it the status that partners see. */
import type { Context } from '../../context.ts'
import type { ExchangeState } from '../../orders/exchange/exchange.ts'
import type { Payment } from '../../orders/payment.ts'
import { recordStatus } from '../../orders/status/record-payment-status.ts'

/** The payment as it is then. Throws `Overtaken` when it cannot become that any more. */
export async function recordExchange(
  context: Context,
  payment: Payment,
  to: ExchangeState,
  text: string | null,
): Promise<Payment> {
  const { statusReason, bankStatus } = payment
  const observation = { status: null, statusReason, statusReasonText: text, bankStatus: bankStatus ?? '' }
  return await recordStatus(context, payment, observation, { move: 'exchange', to })
}
