/** Finds orders and payrolls of a partner by their ids. */
import type { Context } from '../context.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import { isPartnerPayment, type PartnerPayment, type Payment, type PayrollPayment } from './payment.ts'
import type { Payroll } from './payroll.ts'
import type { PayrollKey } from './payroll-order.ts'
import { listFirstStatuses } from './store/payment-list-store.ts'
import { findOrdersOfPayroll, findPayments, type PaymentKey } from './store/payment-store.ts'
import { findPayroll } from './store/payroll-store.ts'

/**
 * Returns the payments in the order of `ids`. Throws 404 for an unknown id, another partner's payment or a payroll
 * order.
 */
export async function findPaymentsOf(
  { database }: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly PartnerPayment[]> {
  const orders = await findPayments(database, partnerId, ids)
  return orders.map((order, n) =>
    order !== undefined && isPartnerPayment(order) ? order : rejectUnknownPayment(`the id at .payments[${n}]`),
  )
}

/** Returns one payment. Throws 404 for an unknown id, another partner's payment or a payroll order. */
export async function findPaymentOf(context: Context, partnerId: string, id: string): Promise<PartnerPayment> {
  const order = await findOrderOf(context, partnerId, id)
  return isPartnerPayment(order) ? order : rejectUnknownPayment()
}

/** Returns one payroll. Throws 404 for an unknown id, and for another partner's. */
export async function findPayrollOf({ database }: Context, partnerId: string, id: string): Promise<Payroll> {
  const key = { partnerId, id: id.toLowerCase() }
  const found = isId(key.id) ? await findPayroll(database, key) : undefined
  if (found === undefined) {
    throw apiError('not-found', 'There is no payroll with this id')
  }
  return found
}

/** Returns the payments and payroll orders of an approval or a basket, in its order. Throws 404 for an unknown one. */
export async function findOrdersOf(
  { database }: Context,
  partnerId: string,
  members: readonly { readonly paymentId: string }[],
): Promise<readonly Payment[]> {
  const ids = members.map(({ paymentId }) => paymentId)
  return (await findPayments(database, partnerId, ids)).map((order) => order ?? rejectUnknownPayment())
}

/** Returns one payment or payroll order. Throws 404 for an unknown id. */
export async function findOrderOf({ database }: Context, partnerId: string, id: string): Promise<Payment> {
  const [order] = await findPayments(database, partnerId, [id])
  return order ?? rejectUnknownPayment()
}

/** Returns one order of a payroll. Throws 404 for an unknown id, and for that of a payment. */
export async function findPayrollOrderOf(context: Context, { partnerId, id }: PaymentKey): Promise<PayrollPayment> {
  const [order] = selectPayrollOrders([await findOrderOf(context, partnerId, id)])
  return order ?? rejectUnknownPayment()
}

function rejectUnknownPayment(id = 'this id'): never {
  throw apiError('not-found', `There is no payment with ${id}`)
}

/** Returns the payroll orders among the payments. */
export function selectPayrollOrders(payments: readonly Payment[]): readonly PayrollPayment[] {
  return payments.filter((payment) => payment.type === 'Payroll')
}

/** Returns all orders in the order of their transactions, including those that the bank never accepted. */
export async function listPayrollOrders({ database }: Context, key: PayrollKey): Promise<readonly PayrollPayment[]> {
  const found = await findOrdersOfPayroll(database, key)
  return selectPayrollOrders(found).toSorted((one, other) => one.ordered.first - other.ordered.first)
}

/**
 * Returns the ids of the payments that were in progress or completed on acknowledgement and have not failed since. One of
 * which the bank has never reported a known status is not signed, and may still need a signature.
 */
export async function findScaExemptPayments(
  { database }: Context,
  partnerId: string,
  payments: readonly Payment[],
): Promise<ReadonlySet<string>> {
  const successful = payments.filter(({ status, signed }) => signed && SUCCESSFUL.has(status)).map(({ id }) => id)
  const firstStatuses = successful.length === 0 ? new Map() : await listFirstStatuses(database, partnerId, successful)
  return new Set(successful.filter((id) => SUCCESSFUL.has(firstStatuses.get(id))))
}

const SUCCESSFUL: ReadonlySet<Payment['status'] | undefined> = new Set(['InProgress', 'Completed'])
