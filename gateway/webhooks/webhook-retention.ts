/** Deletes expired webhook data: events, deliveries, replaced endpoint versions, unused secrets, inboxes. */

import { lowestIdAt } from '../platform/ids.ts'
import type { BatchPurge, BatchRange } from '../platform/jobs/batch-purge.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { deleteOldEvents } from './events/delete-old-events.ts'
import { deleteOldInboxDeliveries } from './inbox/inbox-store.ts'
import { clearUnusedSecrets, deleteOldDeliveries, deleteUnreferencedEndpoints } from './webhook-retention-store.ts'

/**
 * By business time, or by wall time if that is earlier: data from a clock that was moved ahead, and back again, would
 * otherwise stay until that time comes.
 */
const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

/** The retention sweep. */
export function webhookRetentionSweep(context: ProgramContext): Sweep {
  return retentionSweep('webhook retention', context, (real, purge) => purgeBatch(context, purge, real))
}

/** Events first, and secrets last: those of a disabled subscription are deleted when it has no deliveries left. */
async function purgeBatch(context: ProgramContext, purge: BatchPurge, real: Temporal.Instant): Promise<number> {
  const before = { business: context.clock.now().subtract(RETENTION), real: real.subtract(RETENTION) }
  const age = { createdBefore: before.business, belowId: lowestIdAt(before.real) }
  const steps: Readonly<Record<string, (range: BatchRange) => Promise<number>>> = {
    'partners with events': (range) => deleteOldEvents(context, before, range),
    deliveries: (range) => deleteOldDeliveries(context.database, age, range),
    endpoints: (range) => deleteUnreferencedEndpoints(context.database, lowestIdAt(real), range),
    secrets: (range) => clearUnusedSecrets(context.database, before.business, range),
    inboxes: (range) => deleteOldInboxDeliveries(context.database, lowestIdAt(before.real), range),
  }
  let deleted = 0
  for (const [step, deleteBatch] of Object.entries(steps)) {
    deleted += await purge.run(step, ROWS_PER_BATCH, deleteBatch)
  }
  return deleted
}
