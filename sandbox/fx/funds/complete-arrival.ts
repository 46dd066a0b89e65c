/** Lets money arrive: on the balance, and for the conversion that its reference names. */
import { conversionFunded } from '../deals/fund-conversion.ts'
import { keepNotice } from '../notices/keep-notice.ts'
import { wakePayments } from '../payouts/payment-store.ts'
import type { Books } from '../provider-context.ts'
import { type Arrival, updateArrival } from './arrival-store.ts'
import { changeBalance } from './balances.ts'
import { showArrivalTransaction } from './show-arrival.ts'

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
