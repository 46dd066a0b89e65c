/** The payment operations of XS2A, one per line. */
import { authorisationRoutes } from '../authorisations/routes.ts'
import {
  bulkTransactionResponse,
  bulkTransactionStatusResponse,
  findBulkTransactionInPath,
} from '../bulks/bulk-response.ts'
import type { Context } from '../context.ts'
import { idParameterOf, part, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { cancelPayment } from './cancel-payment.ts'
import { initiatePayment, requireProduct } from './initiate-payment.ts'
import { type Payment, shownStatus } from './payment.ts'
import { cancellationResponse, paymentInitiationResponse, paymentStatusResponse } from './payment-response.ts'
import { paymentById } from './payment-store.ts'

const COLLECTION = '/payments/:product'
const ONE = `${COLLECTION}/:paymentId`

export function paymentRoutes(context: Context): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requirePayment(context, call)
  return [
    {
      method: 'POST',
      path: COLLECTION,
      operation: 'initiatePayment',
      handle: async (call) => paymentInitiationResponse(context, call, await initiatePayment(context, call)),
    },
    { method: 'GET', path: ONE, operation: 'getPayment', handle: async (call) => await details(context, call) },
    {
      method: 'GET',
      path: `${ONE}/status`,
      operation: 'getPaymentStatus',
      handle: async (call) => await status(context, call),
    },
    { method: 'DELETE', path: ONE, operation: 'cancelPayment', handle: (call) => cancel(context, call) },
    ...authorisationRoutes(context, { subject: 'payment', path: ONE, find }),
    ...authorisationRoutes(context, { subject: 'cancellation', path: ONE, find }),
  ]
}

/** The payment in the path; a payment of a bulk is authorised and cancelled with the bulk only. */
async function requirePayment(context: Context, call: Xs2aCall): Promise<Payment> {
  const payment = await paymentInPath(context, call)
  if (payment === undefined) {
    throw (await findBulkTransactionInPath(context, call)) === undefined
      ? unknown()
      : xs2aError(400, 'RESOURCE_BLOCKED', 'The payment is part of a bulk')
  }
  return payment
}

async function paymentInPath(context: Context, call: Xs2aCall): Promise<Payment | undefined> {
  requireProduct(call.bank, part(call, 'product'))
  const payment = await paymentById(context.database.query, call.bank.bic, idParameterOf(call, 'paymentId', unknown))
  const isHere = payment?.service === 'payments' && payment.product === part(call, 'product')
  return isHere ? payment : undefined
}

function unknown(): Error {
  return xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank knows no such payment')
}

async function details(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const payment = await paymentInPath(context, call)
  if (payment !== undefined) {
    return { status: 200, body: { ...payment.body, transactionStatus: shownStatus(payment) } }
  }
  return bulkTransactionResponse((await findBulkTransactionInPath(context, call)) ?? throwUnknown())
}

async function status(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const payment = await paymentInPath(context, call)
  return payment === undefined
    ? bulkTransactionStatusResponse((await findBulkTransactionInPath(context, call)) ?? throwUnknown())
    : paymentStatusResponse(call.bank, payment)
}

function throwUnknown(): never {
  throw unknown()
}

async function cancel(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const payment = await requirePayment(context, call)
  return cancellationResponse(context, call, payment, await cancelPayment(context, call, payment))
}
