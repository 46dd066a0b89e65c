/** The bulk operations of XS2A, one per line. */
import { authorisationRoutes } from '../authorisations/routes.ts'
import type { Context } from '../context.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import type { Payment } from '../payments/payment.ts'
import { cancellationResponse, paymentStatusResponse } from '../payments/payment-response.ts'
import { paymentById } from '../payments/payment-store.ts'
import { idParameterOf, part, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { bulkInitiationResponse, bulkResponse } from './bulk-response.ts'
import { findBulkTransactions } from './bulk-transaction-store.ts'
import { initiateBulk, requireBulkProduct, requireBulks } from './initiate-bulk.ts'

/** Ten thousand payments with all optional fields. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
const COLLECTION = '/bulk-payments/:product'
const ONE = `${COLLECTION}/:paymentId`

export function bulkRoutes(context: Context): readonly Xs2aRoute[] {
  const find = (call: Xs2aCall) => requireBulk(context, call)
  return [
    {
      method: 'POST',
      path: COLLECTION,
      operation: 'initiateBulkPayment',
      bodyBytesMax: BODY_BYTES_MAX,
      handle: async (call) => bulkInitiationResponse(context, call, await initiateBulk(context, call)),
    },
    { method: 'GET', path: ONE, operation: 'getBulkPayment', handle: async (call) => await details(context, call) },
    {
      method: 'GET',
      path: `${ONE}/status`,
      operation: 'getBulkPaymentStatus',
      handle: async (call) => paymentStatusResponse(call.bank, await find(call)),
    },
    { method: 'DELETE', path: ONE, operation: 'cancelBulkPayment', handle: (call) => cancel(context, call) },
    ...authorisationRoutes(context, { subject: 'payment', path: ONE, find }),
    ...authorisationRoutes(context, { subject: 'cancellation', path: ONE, find }),
  ]
}

async function requireBulk(context: Context, call: Xs2aCall): Promise<Payment> {
  requireBulks(call.bank)
  requireBulkProduct(call.bank, part(call, 'product'))
  const unknown = () => xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank knows no such bulk')
  const bulk = await paymentById(context.database.query, call.bank.bic, idParameterOf(call, 'paymentId', unknown))
  if (bulk === undefined || bulk.service !== 'bulk-payments' || bulk.product !== part(call, 'product')) {
    throw unknown()
  }
  return bulk
}

async function details(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const bulk = await requireBulk(context, call)
  return bulkResponse(call.bank, bulk, await findBulkTransactions(context.database.query, bulk.id))
}

async function cancel(context: Context, call: Xs2aCall): Promise<Xs2aAnswer> {
  const bulk = await requireBulk(context, call)
  return cancellationResponse(context, call, bulk, await cancelPayment(context, call, bulk))
}
