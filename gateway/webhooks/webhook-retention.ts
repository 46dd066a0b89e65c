/** Deletes expired webhook data: events, deliveries, replaced endpoint versions, unused secrets, inboxes. */

import { lowestIdAt } from '../platform/ids.ts'
import type { BatchPurge, BatchRange } from '../platform/jobs/batch-purge.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { deleteOldInboxDeliveries } from './inbox/inbox-store.ts'
import { deleteOldestEvents } from './store/event-store.ts'
import {
  clearUnusedSecrets,
  deleteOldDeliveries,
  deleteUnreferencedEndpoints,
} from './store/webhook-retention-store.ts'

/**
 * By business time, or by wall time if that is earlier: data from a clock that was moved ahead, and back again, would
 * otherwise stay until that time comes.
 */
const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

export function webhookRetentionSweep(context: ProgramContext): Sweep {
  return retentionSweep('webhook retention', context, (real, purge) => purgeBatch(context, purge, real))
}

/** Events first, and secrets last: those of a disabled subscription are deleted when it has no deliveries left. */
async function purgeBatch(context: ProgramContext, purge: BatchPurge, real: Temporal.Instant): Promise<number> {
  const before = context.clock.now().subtract(RETENTION)
  const belowId = lowestIdAt(real.subtract(RETENTION))
  const steps: Readonly<Record<string, (range: BatchRange) => Promise<number>>> = {
    'partners with events': (range) => deleteOldestEvents(context.database, { occurredBefore: before, belowId }, range),
    deliveries: (range) => deleteOldDeliveries(context.database, { createdBefore: before, belowId }, range),
    endpoints: (range) => deleteUnreferencedEndpoints(context.database, lowestIdAt(real), range),
    secrets: (range) => clearUnusedSecrets(context.database, before, range),
    inboxes: (range) => deleteOldInboxDeliveries(context.database, belowId, range),
  }
  let deleted = 0
  for (const [step, deleteBatch] of Object.entries(steps)) {
    deleted += await purge.run(step, ROWS_PER_BATCH, deleteBatch)
  }
  return deleted
}
