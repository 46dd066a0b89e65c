/** Schedules the sweep over cancellations without an answer, because the bank did not answer or our process crashed. */
import type { Context } from '../context.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { leaseSeconds } from './cancellation-lease.ts'
import { findCancellation } from './cancellation-store.ts'
import { recoverCancellation } from './recover-cancellation.ts'

const cancellationScan = {
  name: 'cancellation recovery',
  table: 'cancellations',
  partition: 'bic',
  column: 'recover_at',
  time: 'wall',
} as const

export function cancellationSweep(context: Context): Sweep {
  return dueRowSweep(context, { ...cancellationScan, leaseSeconds: leaseSeconds(context) }, (key) =>
    recover(context, key),
  )
}

async function recover(context: Context, key: RowKey): Promise<void> {
  const cancellation = await findCancellation(context.database, key)
  if (cancellation?.status === 'REQUESTED') {
    await recoverCancellation(context, cancellation)
  }
}
