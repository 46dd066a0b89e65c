/** Lists the orders of a payroll for approvals and cancellations. */
import type { Context } from '../context.ts'
import type { PayrollPayment } from './payment.ts'
import type { PayrollKey } from './payroll-order.ts'
import { findPayments } from './store/payment-store.ts'
import { listPayrollOrderIds } from './store/submission-progress-store.ts'

/** Returns all orders in the order of their transactions, including those that the bank never accepted. */
export async function listPayrollOrders({ database }: Context, key: PayrollKey): Promise<readonly PayrollPayment[]> {
  const ids = await listPayrollOrderIds(database, key)
  const found = ids.length === 0 ? [] : await findPayments(database, key.partnerId, ids)
  const orders = found.filter((order) => order.type === 'Payroll')
  return orders.toSorted((one, other) => one.ordered.first - other.ordered.first)
}
