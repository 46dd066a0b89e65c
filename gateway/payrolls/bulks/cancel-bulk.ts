/** Cancels a whole bulk; a sweep cancels its orders at the bank, including those that appear there later. */
import type { Context } from '../../context.ts'
import { type BulkState, changeBulkState, failPayrollsOfBulk, findBulk } from '../../orders/store/bulk-store.ts'
import { refreshPayrollStatus } from '../../orders/submit/submission-progress.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { deleteOpenRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { type BulkOrderStates, findBulkOrderStates, raiseCarriedOutTasks } from './bulk-order-states.ts'

const BULK_CANCELLED = 'The bulk that it belongs to was cancelled, because not all of the bulk was accepted'

/** The resulting state of a bulk and of its orders. */
export type BulkCancellation = { readonly state: BulkState; readonly orderStates: BulkOrderStates }

/**
 * A bulk in state `submitted` does not change. Raises operator tasks for orders that are executed nevertheless.
 * Releases the idempotency key once no order is executed or may be.
 */
export async function cancelBulk(context: Context, bulk: RowKey): Promise<BulkCancellation> {
  const nextRunAt = context.clock.now()
  await inTransaction(context, async (context) => {
    const move = { from: 'submitting', to: 'failing', nextRunAt, leaseUntil: null } as const
    if (await changeBulkState(context.database, bulk, move)) {
      for (const payrollId of await failPayrollsOfBulk(context.database, bulk, { text: BULK_CANCELLED, nextRunAt })) {
        await refreshPayrollStatus(context.database, { partnerId: bulk.partnerId, payrollId }, nextRunAt)
      }
    }
  })
  const state = (await findBulk(context.database, bulk))?.state ?? 'failed'
  const orderStates = await findBulkOrderStates(context, bulk)
  if (state !== 'submitted') {
    await raiseCarriedOutTasks(context, bulk, orderStates)
    await releaseIdempotencyKey(context, bulk, orderStates)
  }
  return { state, orderStates }
}

/** A repeated request may order the bulk again, unless an order of it is executed or may be. */
export async function releaseIdempotencyKey(
  { database }: Context,
  bulk: RowKey,
  { carriedOut, unknown }: Pick<BulkOrderStates, 'carriedOut' | 'unknown'>,
): Promise<void> {
  const bulkRow = carriedOut.length + unknown.length === 0 ? await findBulk(database, bulk) : undefined
  if (bulkRow !== undefined && bulkRow.idempotencyOperation !== null && bulkRow.idempotencyKey !== null) {
    const { idempotencyOperation: operation, idempotencyKey: key } = bulkRow
    await deleteOpenRequest(database, { partnerId: bulk.partnerId, operation, key, subjectId: bulk.id })
  }
}
