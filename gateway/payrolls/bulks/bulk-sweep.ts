/** Cancels bulks whose request has crashed, and follows cancelled bulks until all their payrolls have ended. */
import type { Context } from '../../context.ts'
import { changeBulkState, findBulk } from '../../orders/store/bulk-store.ts'
import type { RowKey } from '../../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { findBulkOrderStates, raiseCarriedOutTasks } from './bulk-order-states.ts'
import { cancelBulk, releaseIdempotencyKey } from './cancel-bulk.ts'

/** No bank is called here, so a short lease is enough. */
const LEASE_SECONDS = 60
const POLL_AGAIN_AFTER = { leastSeconds: 30, mostSeconds: 3600 }
const bulks = {
  table: 'payroll_bulks',
  partition: 'bic',
  name: 'payroll bulks',
  column: 'next_run_at',
  time: 'business',
  leaseSeconds: LEASE_SECONDS,
} as const

export function bulkSweep(context: Context): Sweep {
  return dueRowSweep(context, bulks, (key) => maintainBulk(context, key))
}

/** The payroll sweep cancels the payrolls of the bulk. */
async function maintainBulk(context: Context, key: RowKey): Promise<void> {
  const bulk = await findBulk(context.database, key)
  if (bulk?.state === 'submitting') {
    await cancelBulk(context, key)
  } else if (bulk?.state === 'failing') {
    const states = await findBulkOrderStates(context, key)
    await raiseCarriedOutTasks(context, key, states)
    const isOver = states.open === 0
    if (isOver) {
      await releaseIdempotencyKey(context, key, states)
    }
    const nextRunAt = isOver ? null : nextAttemptAt(bulk.createdAt, context.clock.now(), POLL_AGAIN_AFTER)
    const to = isOver ? 'failed' : 'failing'
    await changeBulkState(context.database, key, { from: 'failing', to, nextRunAt, leaseUntil: null })
  }
}
