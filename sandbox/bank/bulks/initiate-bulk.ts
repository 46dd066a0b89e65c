/** Initiates a bulk: payments from one account on one day, all of which are valid, or none is stored. */
import { createHash } from 'node:crypto'
import { newId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { requireProduct } from '../payments/initiate-payment.ts'
import { creditorNameOf, orderRow } from '../payments/payment-row.ts'
import { requestedDay } from '../payments/payment-validation.ts'
import { remittanceOf } from '../payments/remittance.ts'
import { requireRightToPay } from '../payments/require-right-to-pay.ts'
import { type InitiatedPayment, storeOrder } from '../payments/store-order.ts'
import { part, requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { type BulkOrder, readBulkOrder } from './bulk-order.ts'
import { sizeText } from './bulk-transaction.ts'
import { insertBulkTransactions } from './bulk-transaction-store.ts'
import { type ValidBulkTransaction, validateBulkOrder } from './bulk-validation.ts'

export type InitiatedBulk = InitiatedPayment & {
  /** The payments' own ids, in their order. */
  readonly elementIds: readonly string[]
}

/** Unless the third party requests explicit start, the authorisation is started at once. */
export async function initiateBulk(context: Context, call: Xs2aCall): Promise<InitiatedBulk> {
  const { bank } = call
  const bulks = requireBulks(bank)
  requireUserPresent(call)
  const rails = requireBulkProduct(bank, part(call, 'product'))
  const order = readBulkOrder(call.body, bulks)
  const { debtor, elements } = validateBulkOrder(context, bank, rails, order)
  await requireRightToPay(context, call, debtor)
  const row = bulkRow(context, call, order, { debtor, elements })
  const rows = elements.map(({ order: element, creditor, money }) => ({
    id: newId(),
    body: element,
    rail: creditor.rail,
    creditor: creditor.number,
    creditor_name: element.creditorName ?? creditorNameOf(context, call, creditor),
    amount_minor: money.minor,
    ...remittanceOf(element),
  }))
  const initiated = await storeOrder(context, call, row, (transaction, { id }) =>
    insertBulkTransactions(transaction, id, rows),
  )
  return { ...initiated, elementIds: rows.map(({ id }) => id) }
}

/** The bank's bulk settings; rejects the call where it has none. */
export function requireBulks({ bulk, name }: BankProfile): NonNullable<BankProfile['bulk']> {
  if (bulk === null) {
    throw xs2aError(405, 'SERVICE_INVALID', `${name} does not offer bulk-payments`)
  }
  return bulk
}

/** The rails of a domestic product. */
export function requireBulkProduct(bank: BankProfile, product: string): readonly Rail[] {
  const rails = requireProduct(bank, product)
  if (rails.includes('cross-border')) {
    throw xs2aError(404, 'PRODUCT_UNKNOWN', `${bank.name} accepts no bulks of ${product}`)
  }
  return rails
}

function bulkRow(
  context: Context,
  call: Xs2aCall,
  { payments: _payments, ...order }: BulkOrder,
  { debtor, elements }: { readonly debtor: string; readonly elements: readonly ValidBulkTransaction[] },
) {
  const requestedOn = requestedDay(call.bank, order, context.clock.now())
  if (requestedOn === undefined) {
    throw new Error('An order that passed every rule has no day')
  }
  const minor = elements.reduce((sum, { money }) => sum + money.minor, 0n)
  return orderRow(context, call, {
    service: 'bulk-payments',
    body: JSON.stringify(order),
    debtor,
    // Executed like payments to other banks, which is what most of them are.
    creditor: { rail: elements[0]?.creditor.rail ?? 'account', number: digestOf(elements), isInside: false },
    // A single payment has its creditor's name here, a bulk its number of payments.
    creditor_name: sizeText(elements.length),
    money: { minor, currency: call.bank.currency },
    message: order.paymentInformationId ?? null,
    reference: null,
    requestedOn,
    bulk_size: elements.length,
  })
}

/** Equal orders have equal digests, by which the bank detects duplicates. */
function digestOf(elements: readonly ValidBulkTransaction[]): string {
  const paid = elements.map(({ order, creditor, money }) => [
    creditor.number,
    money.minor.toString(),
    ...Object.values(remittanceOf(order)),
  ])
  return createHash('sha256').update(JSON.stringify(paid)).digest('base64url')
}
