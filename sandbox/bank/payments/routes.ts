/** The payment operations of XS2A, one line each. */
import { authorisationRoutes } from '../authorisations/routes.ts'
import type { BankContext } from '../context.ts'
import { refuse } from '../refusal.ts'
import { idPart, part, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/call.ts'
import { absoluteAddress, linkTo, notificationHeaders } from '../xs2a/links.ts'
import { cancelPayment } from './cancel-payment.ts'
import { type InitiatedPayment, initiatePayment, paymentPath, requireProduct } from './initiate-payment.ts'
import type { Payment } from './payment.ts'
import { paymentById } from './payment-store.ts'

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
      handle: async (call) => status(await find(call)),
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
  const { bank, headers } = call
  const path = paymentPath(payment)
  const next = started?.links ?? { startAuthorisation: linkTo(context.addresses, bank, `${path}/authorisations`) }
  return {
    status: 201,
    headers: {
      Location: absoluteAddress(context.addresses, bank, path),
      'ASPSP-SCA-Approach': 'REDIRECT',
      ...notificationHeaders(headers),
    },
    body: {
      transactionStatus: payment.status,
      paymentId: payment.id,
      _links: {
        ...next,
        self: linkTo(context.addresses, bank, path),
        status: linkTo(context.addresses, bank, `${path}/status`),
      },
    },
  }
}

function details(payment: Payment): Xs2aAnswer {
  return { status: 200, body: { ...payment.body, transactionStatus: payment.status } }
}

function status({ status: transactionStatus, funds_available: funds, status_text: psuMessage }: Payment): Xs2aAnswer {
  return {
    status: 200,
    body: {
      transactionStatus,
      ...(funds === null ? {} : { fundsAvailable: funds }),
      ...(psuMessage === null ? {} : { psuMessage }),
    },
  }
}

async function cancel(context: BankContext, call: Xs2aCall): Promise<Xs2aAnswer> {
  const payment = await requirePayment(context, call)
  const { outcome } = await cancelPayment(context, call.bank, payment)
  if (outcome === 'cancelled') {
    return { status: 204 }
  }
  const start = `${paymentPath(payment)}/cancellation-authorisations`
  return {
    status: 202,
    body: {
      transactionStatus: payment.status,
      _links: { startAuthorisation: linkTo(context.addresses, call.bank, start) },
    },
  }
}
