/** The payment operations of XS2A, one line each. */
import { authorisationRoutes } from '../authorisations/routes.ts'
import type { BankContext } from '../context.ts'
import { toldByScript } from '../outcomes/steps.ts'
import { refuse } from '../refusal.ts'
import type { BankProfile } from '../world-shape.ts'
import { idPart, part, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/call.ts'
import { creationHeaders, linkTo, selfLinks } from '../xs2a/links.ts'
import { cancelPayment } from './cancel-payment.ts'
import { type InitiatedPayment, initiatePayment, paymentPath, requireProduct } from './initiate-payment.ts'
import { type Payment, shownStatus } from './payment.ts'
import { paymentById } from './payment-store.ts'
import { statusText } from './status-text.ts'

const COLLECTION = '/payments/:product'
const ONE = `${COLLECTION}/:paymentId`

export function paymentRoutes(context: BankContext): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requirePayment(context, call)
  return [
    {
      method: 'POST',
      path: COLLECTION,
      operation: 'initiatePayment',
      handle: async (call) => initiated(context, call, await initiatePayment(context, call)),
    },
    { method: 'GET', path: ONE, operation: 'getPayment', handle: async (call) => details(await find(call)) },
    {
      method: 'GET',
      path: `${ONE}/status`,
      operation: 'getPaymentStatus',
      handle: async (call) => status(call.bank, await find(call)),
    },
    { method: 'DELETE', path: ONE, operation: 'cancelPayment', handle: (call) => cancel(context, call) },
    ...authorisationRoutes(context, { subject: 'payment', path: ONE, find }),
    ...authorisationRoutes(context, { subject: 'cancellation', path: ONE, find }),
  ]
}

/** Finds the payment in the path. */
async function requirePayment(context: BankContext, call: Xs2aCall): Promise<Payment> {
  requireProduct(call.bank, part(call, 'product'))
  const unknown = () => refuse(403, 'RESOURCE_UNKNOWN', 'The bank knows no such payment')
  const payment = await paymentById(context.database.query, call.bank.bic, idPart(call, 'paymentId', unknown))
  if (payment === undefined || payment.product !== part(call, 'product')) {
    throw unknown()
  }
  return payment
}

function initiated(context: BankContext, call: Xs2aCall, { payment, started }: InitiatedPayment): Xs2aAnswer {
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

function details(payment: Payment): Xs2aAnswer {
  return { status: 200, body: { ...payment.body, transactionStatus: shownStatus(payment) } }
}

function status(bank: BankProfile, payment: Payment): Xs2aAnswer {
  const { funds_available: funds, status_text: psuMessage } = payment
  const { word } = toldByScript(payment)
  // A bank that does not tell of settlement does not tell that the money was there either.
  const tellsFunds = funds !== null && (payment.last_visible === 'settled' || !funds)
  return {
    status: 200,
    body: {
      transactionStatus: word ?? shownStatus(payment),
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

async function cancel(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const payment = await requirePayment(context, call)
  const cancellation = await cancelPayment(context, call, payment)
  if (cancellation.outcome === 'cancelled') {
    const { cancelAnswer } = call.bank
    return cancelAnswer === 204 ? { status: 204 } : { status: 200, body: { transactionStatus: 'CANC' } }
  }
  const { started } = cancellation
  const start = linkTo(context.addresses, call.bank, `${paymentPath(payment)}/cancellation-authorisations`)
  return {
    status: 202,
    body: {
      transactionStatus: shownStatus(payment),
      ...started?.told,
      _links: started?.links ?? { startAuthorisation: start },
    },
  }
}
