/** Finds which orders of a cancelled bulk are executed, have an unknown outcome, or have ended without payment. */
import type { Context } from '../../context.ts'
import { raiseTask, resolveTaskAutomatically, wasTaskRaised } from '../../operators/raise-task.ts'
import { listPayrollOrders } from '../../orders/find-orders.ts'
import { isAcknowledged, isOutcomeUnknown, type PayrollPayment, permits } from '../../orders/payment.ts'
import { listPayrollsOfBulk } from '../../orders/store/bulk-store.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'

export type OrderInBulk = { readonly payrollId: string; readonly order: PayrollPayment }

/** Ordering the bulk again may pay `carriedOut` and `unknown` orders twice. */
export type BulkOrderStates = {
  /** Orders that the bank executes or has executed: they were SCA-exempt, or a user has signed them. */
  readonly carriedOut: readonly OrderInBulk[]
  /** Orders of which it is unknown whether the bank accepted them. */
  readonly unknown: readonly OrderInBulk[]
  /** Orders that have ended without payment. */
  readonly ended: readonly OrderInBulk[]
  /** How many payrolls are still being cancelled. */
  readonly open: number
}

export async function findBulkOrderStates(context: Context, bulk: RowKey): Promise<BulkOrderStates> {
  const payrolls = await listPayrollsOfBulk(context.database, bulk)
  const orders: OrderInBulk[] = []
  for (const { id: payrollId } of payrolls) {
    const found = await listPayrollOrders(context, { partnerId: bulk.partnerId, payrollId })
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
  return (
    isAcknowledged(order) && !isEnded(order) && order.cancellationAcceptedAt === null && !permits(order, 'withdraw')
  )
}

/** Raises one task per order, and none again after it is resolved; resolves the tasks of orders that have ended since. */
export async function raiseCarriedOutTasks(
  context: Context,
  { partnerId, id: bulkId }: RowKey,
  { carriedOut, ended }: Pick<BulkOrderStates, 'carriedOut' | 'ended'>,
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
    await resolveTaskAutomatically(context, task, `the bank reports the order as ${order.status}`)
  }
}
