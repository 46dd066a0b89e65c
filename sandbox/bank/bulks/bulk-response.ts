/** Renders responses about bulks and their payments, with as much of the payments as the bank reports. */
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { type Payment, shownStatus } from '../payments/payment.ts'
import { paymentInitiationResponse } from '../payments/payment-response.ts'
import { paymentById } from '../payments/payment-store.ts'
import { part, type Xs2aAnswer, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type BulkTransaction, shownTransactionStatus } from './bulk-transaction.ts'
import { findBulkTransactionById } from './bulk-transaction-store.ts'
import type { InitiatedBulk } from './initiate-bulk.ts'

/** The creation response; a bank that assigns ids to the payments includes them. */
export function bulkInitiationResponse(
  context: Context,
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

/** One payment and its bulk. */
type LocatedBulkTransaction = { readonly bulk: Payment; readonly element: BulkTransaction }

/** The payment in the path; undefined when it is unknown, or the bank assigns no ids to payments of bulks. */
export async function findBulkTransactionInPath(
  context: Context,
  call: Xs2aCall,
): Promise<LocatedBulkTransaction | undefined> {
  if (call.bank.bulk?.elements !== 'own-ids') {
    return undefined
  }
  const { query } = context.database
  const element = await findBulkTransactionById(query, part(call, 'paymentId').toLowerCase())
  const bulk = element && (await paymentById(query, call.bank.bic, element.bulk_id))
  return element === undefined || bulk?.product !== part(call, 'product') ? undefined : { bulk, element }
}
