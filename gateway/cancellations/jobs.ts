/** Takes up cancellations whose bank has not answered, or whose process died before the answer was kept. */
import type { Context } from '../context.ts'
import type { RowKey } from '../foundation/due-rows.ts'
import { dueSweep } from '../foundation/due-sweep.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { leaseSeconds } from './cancellation-lease.ts'
import { findCancellation } from './cancellation-store.ts'
import { recoverCancellation } from './recover-cancellation.ts'

const recovering = {
  name: 'cancellations recovering',
  table: 'cancellations',
  share: 'bic',
  column: 'recover_at',
  time: 'wall',
} as const

/** The sweep over cancellations. */
export function cancellationSweep(context: Context): Sweep {
  return dueSweep(context, { ...recovering, leaseSeconds: leaseSeconds(context) }, (key) => recover(context, key))
}

async function recover(context: Context, key: RowKey): Promise<void> {
  const cancellation = await findCancellation(context.database, key)
  if (cancellation?.status === 'ASKED') {
    await recoverCancellation(context, cancellation)
  }
}
