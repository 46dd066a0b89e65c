/** Writes answers that tell of an order: that it was taken, how it stands, and what became of the wish to cancel it. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { toldByScript } from '../outcomes/script-steps.ts'
import type { Xs2aAnswer, Xs2aCall } from '../xs2a/xs2a-call.ts'
import { creationHeaders, linkTo, selfLinks } from '../xs2a/xs2a-links.ts'
import type { Cancellation } from './cancel-payment.ts'
import { type Payment, shownStatus } from './payment.ts'
import { statusText } from './status-text.ts'
import { type InitiatedPayment, paymentPath } from './store-order.ts'

/** The order was taken. */
export function showInitiated(
  context: BankContext,
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
      ...started?.told,
      _links: {
        ...next,
        ...selfLinks(context.addresses, bank, path),
      },
    },
  }
}

/** The status as third parties read it. */
export function wordOf(payment: Payment): string {
  return toldByScript(payment).word ?? shownStatus(payment)
}

/** How it stands. */
export function showStatus(bank: BankProfile, payment: Payment): Xs2aAnswer {
  const { funds_available: funds, status_text: psuMessage } = payment
  // A bank that does not tell of settlement does not tell that the money was there either.
  const tellsFunds = funds !== null && (payment.last_visible === 'settled' || !funds)
  return {
    status: 200,
    body: {
      transactionStatus: wordOf(payment),
      ...messagesOf(bank, payment),
      ...(tellsFunds ? { fundsAvailable: funds } : {}),
      ...(psuMessage === null ? {} : { psuMessage }),
    },
  }
}

function messagesOf(bank: BankProfile, payment: Payment): object {
  const { code, text = payment.status_text } = toldByScript(payment)
  if (code === undefined && bank.statusMessage === 'none') {
    return {}
  }
  const member = bank.statusMessage === 'tppMessage' ? 'tppMessage' : 'tppMessages'
  const message = { category: 'WARNING', code: code ?? 'WARNING', text: text ?? statusText[shownStatus(payment)] }
  return { [member]: [message] }
}

/** It was cancelled, or its user has to sign that. */
export function showCancellation(
  context: BankContext,
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
      ...started?.told,
      _links: started?.links ?? { startAuthorisation: start },
    },
  }
}
