/** Renders the responses about an order: creation, contents, status and cancellation; of a bulk as much as the bank reports. */

import { creationAnswer } from '../authorisations/start-authorisation.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { scriptedStatusDetails } from '../outcomes/script-steps.ts'
import { statusText } from '../xs2a/transaction-status.ts'
import { ok, type Xs2aAnswer, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { linkTo } from '../xs2a/xs2a-links.ts'
import { type BulkTransaction, shownTransactionStatus } from './bulk-transaction.ts'
import type { Cancellation } from './cancel-payment.ts'
import type { InitiatedOrder } from './initiate-order.ts'
import { type Payment, paymentPath, shownStatus } from './payment.ts'

/** The creation response; a bank that assigns ids to the payments of a bulk includes them. */
export function initiationResponse(
  context: Context,
  call: Xs2aCall,
  { payment, started, transactionIds }: InitiatedOrder,
): Xs2aAnswer {
  const hasIds = payment.service === 'bulk-payments' && call.bank.bulk?.elements === 'own-ids'
  const body = {
    transactionStatus: shownStatus(payment),
    paymentId: payment.id,
    ...(hasIds ? { payments: transactionIds.map((paymentId) => ({ paymentId })) } : {}),
  }
  return creationAnswer(context, call, paymentPath(payment), { body, started, isSigned: payment.signed_at !== null })
}

/** The status for third parties, with a scripted status first. */
export function reportedStatus(payment: Payment): string {
  return scriptedStatusDetails(payment).word ?? shownStatus(payment)
}

export function paymentStatusResponse(bank: BankProfile, payment: Payment): Xs2aAnswer {
  const { funds_available: funds, status_text: psuMessage } = payment
  // A bank that does not report settlement does not report that funds were available either.
  const tellsFunds = funds !== null && (payment.last_visible === 'settled' || !funds)
  return ok({
    transactionStatus: reportedStatus(payment),
    ...statusMessages(bank, payment),
    ...(tellsFunds ? { fundsAvailable: funds } : {}),
    ...(psuMessage === null ? {} : { psuMessage }),
  })
}

function statusMessages(bank: BankProfile, payment: Payment): object {
  const { code, text = payment.status_text } = scriptedStatusDetails(payment)
  if (code === undefined && bank.statusMessage === 'none') {
    return {}
  }
  const member = bank.statusMessage === 'tppMessage' ? 'tppMessage' : 'tppMessages'
  const message = { category: 'WARNING', code: code ?? 'WARNING', text: text ?? statusText(shownStatus(payment)) }
  return { [member]: [message] }
}

/** Cancelled, or awaiting the user's authorisation. */
export function cancellationResponse(
  context: Context,
  { bank }: Xs2aCall,
  payment: Payment,
  cancellation: Cancellation,
): Xs2aAnswer {
  if (cancellation.outcome === 'cancelled') {
    return bank.cancelAnswer === 204 ? { status: 204 } : ok({ transactionStatus: 'CANC' })
  }
  const { started } = cancellation
  const start = linkTo(context.addresses, bank, `${paymentPath(payment)}/cancellation-authorisations`)
  return {
    status: 202,
    body: {
      transactionStatus: shownStatus(payment),
      ...started?.reported,
      _links: started?.links ?? { startAuthorisation: start },
    },
  }
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
    ...(reported?.elements === 'listed' ? bulkTransactionStatus({ bulk, element }) : {}),
  }))
  return ok({ ...bulk.body, payments, transactionStatus: shownStatus(bulk) })
}

/** One payment by its own id, in the format of a single payment. */
export function bulkTransactionResponse({ bulk, element }: LocatedBulkTransaction): Xs2aAnswer {
  const { debtorAccount, requestedExecutionDate } = bulk.body
  const day = requestedExecutionDate === undefined ? {} : { requestedExecutionDate }
  const transactionStatus = shownTransactionStatus(bulk, element)
  return ok({ debtorAccount, ...day, ...element.body, transactionStatus })
}

export function bulkTransactionStatus({ bulk, element }: LocatedBulkTransaction): object {
  const psuMessage = element.status === null ? bulk.status_text : element.status_text
  return {
    transactionStatus: shownTransactionStatus(bulk, element),
    ...(psuMessage === null ? {} : { psuMessage }),
  }
}

export type LocatedBulkTransaction = { readonly bulk: Payment; readonly element: BulkTransaction }
