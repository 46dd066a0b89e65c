/** Lets money arrive: on the balance, and for the conversion that its reference names. */
import { conversionFunded } from '../conversions/advance-conversion.ts'
import { keepNotice } from '../notifications/enqueue-notification.ts'
import { wakePayments } from '../payouts/payment-store.ts'
import type { Books } from '../provider-context.ts'
import { changeBalance } from './balance-store.ts'
import { showArrivalTransaction } from './inbound-funds-response.ts'
import { type Arrival, updateArrival } from './inbound-funds-store.ts'

export async function completeArrival(books: Books, arrival: Arrival, at: Temporal.Instant): Promise<Arrival> {
  const completed = await updateArrival(books, arrival, {
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
  await keepNotice(books, {
    type: 'cash_manager_transaction/cash_manager_transaction',
    body: showArrivalTransaction(completed, transaction),
    at,
  })
  if (completed.conversion_id !== null) {
    await conversionFunded(books, completed.conversion_id, at)
  }
  await wakePayments(books, arrival.currency, at)
  return completed
}
