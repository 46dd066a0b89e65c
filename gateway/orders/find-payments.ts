/** Finds payments of a partner, and orders of its payrolls, for the rooms that act on them. */
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import { type HeldPayment, isPartners, type PartnersPayment, type Payment } from './payment.ts'
import { findPayments } from './payment-store.ts'
import { markWithdrawn } from './status/expired-order-store.ts'
import { markSigned } from './status/payment-status-store.ts'

/** The payments in the order of their ids. One that is unknown, another partner's, or an order of a payroll does not exist: 404. */
export async function findPaymentsOf(
  context: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly PartnersPayment[]> {
  const orders = await findByIds(context, partnerId, ids)
  return orders.map((order, n) => {
    if (order === undefined || !isPartners(order)) {
      throw refuse('not-found', `There is no payment with the id at .payments[${n}]`)
    }
    return order
  })
}

/** One payment. */
export async function findPaymentOf(context: Context, partnerId: string, id: string): Promise<PartnersPayment> {
  const [order] = await findByIds(context, partnerId, [id])
  if (order === undefined || !isPartners(order)) {
    throw refuse('not-found', 'There is no payment with this id')
  }
  return order
}

/** Payments and orders of payrolls alike, by ids that we keep ourselves. */
export async function findOrdersOf(
  context: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  const orders = await findByIds(context, partnerId, ids)
  return orders.map((order, n) => {
    if (order === undefined) {
      throw refuse('not-found', `There is no payment with the id at .payments[${n}]`)
    }
    return order
  })
}

/** One of them. */
export async function findOrderOf(context: Context, partnerId: string, id: string): Promise<Payment> {
  const [order] = await findByIds(context, partnerId, [id])
  if (order === undefined) {
    throw refuse('not-found', 'There is no payment with this id')
  }
  return order
}

async function findByIds(
  { database }: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly (Payment | undefined)[]> {
  const wanted = ids.map((id) => id.toLowerCase())
  const possible = wanted.filter(isId)
  const found = possible.length === 0 ? [] : await findPayments(database, partnerId, possible)
  const byId = new Map(found.map((payment) => [payment.id, payment]))
  return wanted.map((id) => byId.get(id))
}

/** Notes that a user's signature was taken, and has the payment read at its bank at once. */
export async function noteSigned({ database, clock }: Context, payment: Payment): Promise<void> {
  await markSigned(database, payment, clock.now())
}

/** Notes that the bank took the withdrawal of the order: it is never placed again. */
export async function noteWithdrawn({ database, clock }: Context, payment: HeldPayment): Promise<void> {
  await markWithdrawn(database, payment, clock.now())
}
