/** Bulks at a bank: many payments handed over as one order, signed as one, and asked about as far as the bank tells. */
import { mapLettingOthersIn } from '../../platform/yield-to-event-loop.ts'
import type { BulkObservation, BulkOrder, BulkTaken, KnownBulk } from '../bulk-order.ts'
import { BankRefusal } from '../connector/bank-error.ts'
import type { BankCaller, BulkPaymentProduct } from '../connector/connector.ts'
import { numberOf } from '../connector/domestic-order.ts'
import type { InitiationRequest, PlacedOrder } from '../connector/order-at-bank.ts'
import { dialectOf } from '../standards/berlin-group/dialect.ts'
import { bulkBody, heldBulk } from '../standards/berlin-group/payments/bulk-body.ts'
import { initiateOrder } from '../standards/berlin-group/payments/initiate-order.ts'
import { askStatus, ordersAtBank } from '../standards/berlin-group/payments/order-operations.ts'
import { productFor } from '../standards/berlin-group/payments/payments.ts'
import { refusalOfBulk, withoutAmounts } from '../standards/berlin-group/payments/redact-bulk-texts.ts'
import { isInParts, observeInParts } from '../standards/berlin-group/payments/translate-bulk.ts'
import { readBulkCreated, readBulkHeld, readElementIds } from '../standards/berlin-group/payments/wire-bulk.ts'
import { observe } from '../standards/berlin-group/translate-status.ts'
import type { Line } from '../standards/berlin-group/transport/bank-client.ts'
import { path } from '../standards/berlin-group/transport/send-request.ts'
import { readElements } from './bulk-elements.ts'

const SERVICE = 'bulk-payments'

/** The bulk product over one line. */
export function bulkPaymentProduct(line: Line): BulkPaymentProduct {
  return {
    ...ordersAtBank(line, {
      service: SERVICE,
      read: readBulkHeld,
      name: bulkProductAt,
      held: (shown, placed, { bank }) => heldBulk(shown, placed, bank.countryCode),
      // Whoever signed it was the last one.
      asSingle: (answer, { bank }) =>
        isInParts(answer, dialectOf(bank.profile)) ? { ...answer, transactionStatus: 'ACSP' } : answer,
    }),
    initiate: (caller, order, request) => initiate(line, caller, order, request),
    read: (caller, placed, known) => read(line, caller, placed, known),
  }
}

async function initiate(
  line: Line,
  caller: BankCaller,
  order: BulkOrder,
  request: InitiationRequest,
): Promise<BulkTaken> {
  requireBulks(caller)
  const product = bulkProductAt(caller)
  const products = await mapLettingOthersIn(order.payments, ({ creditor }) =>
    productFor(caller, numberOf(creditor.account)),
  )
  if (products.some((other) => other !== product)) {
    throw new BankRefusal('unsupported-product', `${caller.bank.name} takes no bulks of payments of several kinds`)
  }
  const body = await bulkBody(order, caller.bank.profile)
  const asked = { service: SERVICE, product, body, read: readBulkCreated } as const
  const { taken, created } = await initiateOrder(line, caller, request, asked).catch((error: unknown) => {
    throw error instanceof BankRefusal ? refusalOfBulk(error) : error
  })
  const observation = withoutAmounts(taken.observation)
  const ids = readElementIds(created.payments)
  return ids?.length === order.payments.length
    ? { ...taken, observation, elementIds: ids.map(({ paymentId = null }) => paymentId) }
    : { ...taken, observation }
}

async function read(
  line: Line,
  caller: BankCaller,
  { bankPaymentId }: PlacedOrder,
  { signed, elements }: KnownBulk,
): Promise<BulkObservation> {
  const dialect = dialectOf(caller.bank.profile)
  const product = bulkProductAt(caller)
  const where = path(SERVICE, product, bankPaymentId)
  const answer = await askStatus(line, caller, { name: 'BulkPayment', where })
  return isInParts(answer, dialect)
    ? observeInParts(answer, elements, await readElements(line, caller, { product, bankPaymentId, elements }))
    : withoutAmounts(observe(answer, signed, dialect))
}

function requireBulks({ bank }: BankCaller): void {
  if (bank.profile.payroll?.way !== 'bulk') {
    throw new BankRefusal('unsupported-product', `${bank.name} takes no bulks`)
  }
}

/** Bulks go under the product for accounts. */
function bulkProductAt({ bank }: BankCaller): string {
  return dialectOf(bank.profile).products.account
}
