/** Renders the responses about an order: creation, status and cancellation. */

import { creationHeaders } from '../authorisations/authorisation-links.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { scriptedStatusDetails } from '../outcomes/script-steps.ts'
import type { Xs2aAnswer, Xs2aCall } from '../xs2a/xs2a-call.ts'
import { linkTo, selfLinks } from '../xs2a/xs2a-links.ts'
import type { Cancellation } from './cancel-payment.ts'
import { type Payment, shownStatus, type TransactionStatus } from './payment.ts'
import { type InitiatedPayment, paymentPath } from './store-order.ts'

/** The creation response. */
export function paymentInitiationResponse(
  context: Context,
  call: Xs2aCall,
  { payment, started }: InitiatedPayment,
): Xs2aAnswer {
  const { bank } = call
  const path = paymentPath(payment)
  const start = { startAuthorisation: linkTo(context.addresses, bank, `${path}/authorisations`) }
  const next = started?.links ?? (payment.signed_at === null ? start : {})
  return {
    status: 201,
    headers: creationHeaders(context.addresses, call, path),
    body: {
      transactionStatus: shownStatus(payment),
      paymentId: payment.id,
      ...started?.reported,
      _links: {
        ...next,
        ...selfLinks(context.addresses, bank, path),
      },
    },
  }
}

/** The status for third parties, with a scripted status first. */
export function reportedStatus(payment: Payment): string {
  return scriptedStatusDetails(payment).word ?? shownStatus(payment)
}

export function paymentStatusResponse(bank: BankProfile, payment: Payment): Xs2aAnswer {
  const { funds_available: funds, status_text: psuMessage } = payment
  // A bank that does not report settlement does not report that funds were available either.
  const tellsFunds = funds !== null && (payment.last_visible === 'settled' || !funds)
  return {
    status: 200,
    body: {
      transactionStatus: reportedStatus(payment),
      ...statusMessages(bank, payment),
      ...(tellsFunds ? { fundsAvailable: funds } : {}),
      ...(psuMessage === null ? {} : { psuMessage }),
    },
  }
}

function statusMessages(bank: BankProfile, payment: Payment): object {
  const { code, text = payment.status_text } = scriptedStatusDetails(payment)
  if (code === undefined && bank.statusMessage === 'none') {
    return {}
  }
  const member = bank.statusMessage === 'tppMessage' ? 'tppMessage' : 'tppMessages'
  const message = { category: 'WARNING', code: code ?? 'WARNING', text: text ?? statusText[shownStatus(payment)] }
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
    return bank.cancelAnswer === 204 ? { status: 204 } : { status: 200, body: { transactionStatus: 'CANC' } }
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

export const statusText: Readonly<Record<TransactionStatus, string>> = {
  RCVD: 'received, not signed',
  PDNG: 'being checked',
  PATC: 'needs another signature',
  ACTC: 'accepted',
  ACCP: 'accepted',
  ACFC: 'accepted, funds checked',
  ACWC: 'accepted with a change',
  ACWP: 'on its way',
  ACSP: 'being executed',
  ACSC: 'paid',
  ACCC: 'paid, on the creditor’s account',
  PART: 'partly accepted',
  RJCT: 'rejected',
  CANC: 'cancelled',
}
