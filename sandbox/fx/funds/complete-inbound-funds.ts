/** Completes inbound funds: credits the balance and funds the conversion that the reference names. */
import { recordConversionFunded } from '../conversions/advance-conversion.ts'
import { enqueueNotification } from '../notifications/enqueue-notification.ts'
import { makePaymentsDue } from '../payouts/payment-store.ts'
import type { BooksTransaction } from '../provider-context.ts'
import { changeBalance } from './balance-store.ts'
import { inboundTransactionResponse } from './inbound-funds-response.ts'
import { type InboundFunds, updateInboundFunds } from './inbound-funds-store.ts'

export async function completeInboundFunds(
  books: BooksTransaction,
  arrival: InboundFunds,
  at: Temporal.Instant,
): Promise<InboundFunds> {
  const completed = await updateInboundFunds(books, arrival, {
    status: 'completed',
    completed_at: at.toString(),
    due_at: null,
  })
  const transaction = await changeBalance(books, {
    currency: arrival.currency,
    minor: arrival.amount_minor,
    entity: { type: 'inbound_funds', id: arrival.id, reference: arrival.short_reference },
    action: 'funding',
    at,
  })
  await enqueueNotification(books, {
    type: 'cash_manager_transaction/cash_manager_transaction',
    body: inboundTransactionResponse(completed, transaction),
    at,
  })
  if (completed.conversion_id !== null) {
    await recordConversionFunded(books, completed.conversion_id, at)
  }
  await makePaymentsDue(books, arrival.currency, at)
  return completed
}
