/** The operations of XS2A on single payments and bulks, one per line. */
import { findRow } from '../../rows.ts'
import { authorisationRoutes } from '../authorisations/routes.ts'
import type { Context } from '../context.ts'
import { idParameterOf, ok, part, route, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/xs2a-call.ts'
import { type Xs2aError, xs2aError } from '../xs2a-error.ts'
import { findBulkTransactions } from './bulk-transaction-store.ts'
import { cancelPayment } from './cancel-payment.ts'
import { initiateOrder, requireProduct, requireService } from './initiate-order.ts'
import { type OrderService, type Payment, shownStatus } from './payment.ts'
import {
  bulkResponse,
  bulkTransactionResponse,
  bulkTransactionStatus,
  cancellationResponse,
  initiationResponse,
  type LocatedBulkTransaction,
  paymentStatusResponse,
} from './payment-response.ts'
import { paymentById } from './payment-store.ts'

/** The names of a service: of its operations, and in errors. Ten thousand payments with all fields make the largest body. */
const services = {
  payments: { name: 'Payment', noun: 'payment' },
  'bulk-payments': { name: 'BulkPayment', noun: 'bulk', bodyBytesMax: 16 * 1024 * 1024 },
} as const

export function paymentRoutes(context: Context): readonly Xs2aRoute[] {
  return [...routesOf(context, 'payments'), ...routesOf(context, 'bulk-payments')]
}

function routesOf(context: Context, service: OrderService): readonly Xs2aRoute[] {
  const { name, noun: _noun, ...limits } = services[service]
  const collection = `/${service}/:product`
  const one = `${collection}/:paymentId`
  const find = (call: Xs2aCall) => requireOrder(context, call, service)
  return [
    {
      method: 'POST',
      path: collection,
      operation: `initiate${name}`,
      ...limits,
      handle: async (call) => initiationResponse(context, call, await initiateOrder(context, call, service)),
    },
    route('GET', one, `get${name}`, (call) => details(context, call, service)),
    route('GET', `${one}/status`, `get${name}Status`, (call) => status(context, call, service)),
    route('DELETE', one, `cancel${name}`, async (call) => await cancel(context, call, await find(call))),
    ...authorisationRoutes(context, { subject: 'payment', path: one, find }),
    ...authorisationRoutes(context, { subject: 'cancellation', path: one, find }),
  ]
}

/** The order in the path; a payment of a bulk is authorised and cancelled with the bulk only. */
async function requireOrder(context: Context, call: Xs2aCall, service: OrderService): Promise<Payment> {
  const found = await locate(context, call, service)
  if ('element' in found) {
    throw xs2aError(400, 'RESOURCE_BLOCKED', 'The payment is part of a bulk')
  }
  return found
}

/** The order in the path, or the payment of a bulk where the bank assigns ids to these. */
async function locate(
  context: Context,
  call: Xs2aCall,
  service: OrderService,
): Promise<Payment | LocatedBulkTransaction> {
  const product = part(call, 'product')
  requireService(call.bank, service)
  requireProduct(call.bank, service, product)
  const id = idParameterOf(call, 'paymentId', () => unknown(service))
  const order = await paymentById(context, call.bank.bic, id)
  if (order?.service === service && order.product === product) {
    return order
  }
  const isReported = service === 'payments' && call.bank.bulk?.elements === 'own-ids'
  const element = isReported ? await findRow(context, 'bulk_transactions', { id }) : undefined
  const bulk = element && (await paymentById(context, call.bank.bic, element.bulk_id))
  if (element === undefined || bulk?.product !== product) {
    throw unknown(service)
  }
  return { bulk, element }
}

function unknown(service: OrderService): Xs2aError {
  return xs2aError(403, 'RESOURCE_UNKNOWN', `The bank knows no such ${services[service].noun}`)
}

async function details(context: Context, call: Xs2aCall, service: OrderService): Promise<Xs2aAnswer> {
  const found = await locate(context, call, service)
  if ('element' in found) {
    return bulkTransactionResponse(found)
  }
  if (service === 'payments') {
    return ok({ ...found.body, transactionStatus: shownStatus(found) })
  }
  return bulkResponse(call.bank, found, await findBulkTransactions(context, found.id))
}

async function status(context: Context, call: Xs2aCall, service: OrderService): Promise<Xs2aAnswer> {
  const found = await locate(context, call, service)
  return 'element' in found ? ok(bulkTransactionStatus(found)) : paymentStatusResponse(call.bank, found)
}

async function cancel(context: Context, call: Xs2aCall, order: Payment): Promise<Xs2aAnswer> {
  return cancellationResponse(context, call, order, await cancelPayment(context, call, order))
}
