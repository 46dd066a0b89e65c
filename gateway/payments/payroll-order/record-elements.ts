/** Records what a bank says of the payouts in an order, and what that makes of the whole payroll. */
import type { BulkObservation } from '../../banks/bulk-order.ts'
import type { PayrollPayment } from '../../orders/payment.ts'
import { settleWhole } from '../../orders/payroll/payroll-status-store.ts'
import { clearElements, writeElements } from '../../orders/payroll/payroll-transaction-store.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'

/** In the transaction that records the status of the order. An order that speaks for itself speaks for all its payouts. */
export async function recordElements(
  transaction: Queryable,
  payment: PayrollPayment,
  { elements, status }: BulkObservation,
  { at, orderChanged }: { readonly at: Temporal.Instant; readonly orderChanged: boolean },
): Promise<void> {
  const { partnerId, ordered } = payment
  const key = { partnerId, payrollId: ordered.payrollId }
  const told = { elements: elements ?? [], at }
  const saysNothing = elements === undefined && status === null
  const payoutsChanged =
    elements === undefined
      ? !saysNothing && (await clearElements(transaction, payment))
      : await writeElements(transaction, key, ordered.first, told)
  if (orderChanged || payoutsChanged) {
    await settleWhole(transaction, key, at)
  } else if (payment.pollStep === 0) {
    // Whoever kept the bank's first answer may have ended before drawing the whole from it.
    await settleWhole(transaction, key, null)
  }
}
