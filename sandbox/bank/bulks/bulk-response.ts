/** Renders responses about bulks and their payments, with as much of the payments as the bank reports. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { type Payment, shownStatus } from '../payments/payment.ts'
import { paymentInitiationResponse } from '../payments/payment-response.ts'
import type { Xs2aAnswer, Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type BulkTransaction, shownTransactionStatus } from './bulk-transaction.ts'
import type { LocatedBulkTransaction } from './find-bulk-transaction.ts'
import type { InitiatedBulk } from './initiate-bulk.ts'

/** The creation response; a bank that assigns ids to the payments includes them. */
export function bulkInitiationResponse(
  context: BankContext,
  call: Xs2aCall,
  { elementIds, ...initiated }: InitiatedBulk,
): Xs2aAnswer {
  const answer = paymentInitiationResponse(context, call, initiated)
  const payments = elementIds.map((paymentId) => ({ paymentId }))
  return call.bank.bulk?.elements === 'own-ids' ? { ...answer, body: { ...answer.body, payments } } : answer
}

/** The whole order, with what the bank reports of each payment. */
export function bulkResponse(
  { bulk: reported }: BankProfile,
  bulk: Payment,
  elements: readonly BulkTransaction[],
): Xs2aAnswer {
  const payments = elements.map((element) => ({
    ...element.body,
    ...(reported?.elements === 'own-ids' ? { paymentId: element.id } : {}),
    ...(reported?.elements === 'listed' ? statusOf({ bulk, element }) : {}),
  }))
  return { status: 200, body: { ...bulk.body, payments, transactionStatus: shownStatus(bulk) } }
}

/** One payment by its own id, in the format of a single payment. */
export function bulkTransactionResponse({ bulk, element }: LocatedBulkTransaction): Xs2aAnswer {
  const { debtorAccount, requestedExecutionDate } = bulk.body
  const day = requestedExecutionDate === undefined ? {} : { requestedExecutionDate }
  const transactionStatus = shownTransactionStatus(bulk, element)
  return { status: 200, body: { debtorAccount, ...day, ...element.body, transactionStatus } }
}

/** The status of one payment. */
export function bulkTransactionStatusResponse(placed: LocatedBulkTransaction): Xs2aAnswer {
  return { status: 200, body: statusOf(placed) }
}

function statusOf({ bulk, element }: LocatedBulkTransaction): object {
  const psuMessage = element.status === null ? bulk.status_text : element.status_text
  return {
    transactionStatus: shownTransactionStatus(bulk, element),
    ...(psuMessage === null ? {} : { psuMessage }),
  }
}
