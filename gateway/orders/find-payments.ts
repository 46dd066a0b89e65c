/** Finds a partner's payments and payroll orders for approvals and cancellations. */
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import { isPartnerPayment, type PartnerPayment, type Payment } from './payment.ts'
import { findPayments } from './store/payment-store.ts'

/**
 * Returns the payments in the order of `ids`. Throws 404 for an unknown id, another partner's payment or a payroll
 * order.
 */
export async function findPaymentsOf(
  context: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly PartnerPayment[]> {
  const orders = await findByIds(context, partnerId, ids)
  return orders.map((order, n) => {
    if (order === undefined || !isPartnerPayment(order)) {
      throw apiError('not-found', `There is no payment with the id at .payments[${n}]`)
    }
    return order
  })
}

/** Returns one payment. Throws 404 for an unknown id, another partner's payment or a payroll order. */
export async function findPaymentOf(context: Context, partnerId: string, id: string): Promise<PartnerPayment> {
  const [order] = await findByIds(context, partnerId, [id])
  if (order === undefined || !isPartnerPayment(order)) {
    throw apiError('not-found', 'There is no payment with this id')
  }
  return order
}

/** Returns payments and payroll orders by ids that Havn has stored itself. Throws 404 for an unknown id. */
export async function findOrdersOf(
  context: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  const orders = await findByIds(context, partnerId, ids)
  return orders.map((order, n) => {
    if (order === undefined) {
      throw apiError('not-found', `There is no payment with the id at .payments[${n}]`)
    }
    return order
  })
}

/** Returns one payment or payroll order. Throws 404 for an unknown id. */
export async function findOrderOf(context: Context, partnerId: string, id: string): Promise<Payment> {
  const [order] = await findByIds(context, partnerId, [id])
  if (order === undefined) {
    throw apiError('not-found', 'There is no payment with this id')
  }
  return order
}

async function findByIds(
  { database }: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly (Payment | undefined)[]> {
  const lowerCaseIds = ids.map((id) => id.toLowerCase())
  const validIds = lowerCaseIds.filter(isId)
  const found = validIds.length === 0 ? [] : await findPayments(database, partnerId, validIds)
  const byId = new Map(found.map((payment) => [payment.id, payment]))
  return lowerCaseIds.map((id) => byId.get(id))
}
