/** Tells what there is of a bulk that is given up: what is carried out all the same, and what may be. */
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import { raiseTask, settleTask, wasTaskRaised } from '../../operators/raise-task.ts'
import { isHeld, isOutcomeUnknown, type PayrollPayment, permits } from '../../orders/payment.ts'
import { ordersOfPayroll } from '../../orders/payroll/list-payroll-orders.ts'
import { listPayrollsOfBulk } from './bulk-store.ts'

/** An order of a payroll of the bulk. */
export type OrderOfBulk = { readonly payrollId: string; readonly order: PayrollPayment }

/** Whoever orders the bulk again may pay twice what is in either list. */
export type BulkStanding = {
  /** Orders that their bank carries out or has carried out: they needed no signature, or somebody has given it. */
  readonly carriedOut: readonly OrderOfBulk[]
  /** Orders of which it is not known whether their bank took them. */
  readonly unknown: readonly OrderOfBulk[]
  /** Orders that have ended without a payout. */
  readonly ended: readonly OrderOfBulk[]
  /** How many payrolls are still being withdrawn. */
  readonly open: number
}

export async function standingOfBulk(context: Pick<Context, 'database'>, bulk: RowKey): Promise<BulkStanding> {
  const payrolls = await listPayrollsOfBulk(context.database, bulk)
  const orders: OrderOfBulk[] = []
  for (const { id: payrollId } of payrolls) {
    const found = await ordersOfPayroll(context, { partnerId: bulk.partnerId, payrollId })
    orders.push(...found.map((order) => ({ payrollId, order })))
  }
  return {
    carriedOut: orders.filter(({ order }) => isCarriedOut(order)),
    unknown: orders.filter(({ order }) => isOutcomeUnknown(order)),
    ended: orders.filter(({ order }) => isEnded(order)),
    open: payrolls.filter(({ isOver }) => !isOver).length,
  }
}

function isEnded({ status }: PayrollPayment): boolean {
  return status === 'Rejected' || status === 'Cancelled'
}

function isCarriedOut(order: PayrollPayment): boolean {
  return isHeld(order) && !isEnded(order) && order.withdrawnAt === null && !permits(order, 'withdraw')
}

/** Once for each order, be the task resolved by now or not; what has been stopped since needs nobody. */
export async function tellOfCarriedOut(
  context: Context,
  { partnerId, id: bulkId }: RowKey,
  { carriedOut, ended }: Pick<BulkStanding, 'carriedOut' | 'ended'>,
): Promise<void> {
  for (const { payrollId, order } of carriedOut) {
    const task = { partnerId, kind: 'BulkCarriedOutInPart', subjectId: order.id } as const
    if (!(await wasTaskRaised(context, task))) {
      const { bic: bank, bankPaymentId } = order
      const detail = { bank, bankPaymentId, bulkId, payrollId, dueDate: order.dueDate.toString(), status: order.status }
      await raiseTask(context, { ...task, subjectType: 'payment', detail })
    }
  }
  for (const { order } of ended) {
    const task = { partnerId, kind: 'BulkCarriedOutInPart', subjectId: order.id } as const
    await settleTask(context, task, `the bank says that it is ${order.status}`)
  }
}
