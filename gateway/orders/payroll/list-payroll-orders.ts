/** Finds the orders of a payroll, for the rooms that have them signed and withdrawn. */
import type { Context } from '../../context.ts'
import type { PayrollPayment } from '../payment.ts'
import { findPayments } from '../payment-store.ts'
import type { PayrollKey } from './payroll-order.ts'
import { listOrderIds } from './submission-progress-store.ts'

/** Every order, those among them that its bank never took, in the order of the payouts. */
export async function ordersOfPayroll(
  { database }: Pick<Context, 'database'>,
  key: PayrollKey,
): Promise<readonly PayrollPayment[]> {
  const ids = await listOrderIds(database, key)
  const found = ids.length === 0 ? [] : await findPayments(database, key.partnerId, ids)
  const orders = found.filter((order) => order.type === 'Payroll')
  return orders.toSorted((one, other) => one.ordered.first - other.ordered.first)
}
