/** Writes answers about bulks and the payments in them, each bank telling as much of these as it does. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { type Payment, shownStatus } from '../payments/payment.ts'
import { showInitiated } from '../payments/payment-response.ts'
import type { Xs2aAnswer, Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type Element, shownElementStatus } from './bulk-transaction.ts'
import type { PlacedElement } from './find-bulk-transaction.ts'
import type { InitiatedBulk } from './initiate-bulk.ts'

/** The order was taken; a bank that gives each payment an id tells these at once. */
export function showInitiatedBulk(
  context: BankContext,
  call: Xs2aCall,
  { elementIds, ...initiated }: InitiatedBulk,
): Xs2aAnswer {
  const answer = showInitiated(context, call, initiated)
  const payments = elementIds.map((paymentId) => ({ paymentId }))
  return call.bank.bulk?.elements === 'own-ids' ? { ...answer, body: { ...answer.body, payments } } : answer
}

/** The whole order, with what the bank tells of each payment. */
export function showBulk({ bulk: told }: BankProfile, bulk: Payment, elements: readonly Element[]): Xs2aAnswer {
  const payments = elements.map((element) => ({
    ...element.body,
    ...(told?.elements === 'own-ids' ? { paymentId: element.id } : {}),
    ...(told?.elements === 'listed' ? statusOf({ bulk, element }) : {}),
  }))
  return { status: 200, body: { ...bulk.body, payments, transactionStatus: shownStatus(bulk) } }
}

/** One payment by its own id, as if it had been ordered by itself. */
export function showElement({ bulk, element }: PlacedElement): Xs2aAnswer {
  const { debtorAccount, requestedExecutionDate } = bulk.body
  const day = requestedExecutionDate === undefined ? {} : { requestedExecutionDate }
  const transactionStatus = shownElementStatus(bulk, element)
  return { status: 200, body: { debtorAccount, ...day, ...element.body, transactionStatus } }
}

/** How one stands. */
export function showElementStatus(placed: PlacedElement): Xs2aAnswer {
  return { status: 200, body: statusOf(placed) }
}

function statusOf({ bulk, element }: PlacedElement): object {
  const psuMessage = element.status === null ? bulk.status_text : element.status_text
  return {
    transactionStatus: shownElementStatus(bulk, element),
    ...(psuMessage === null ? {} : { psuMessage }),
  }
}
