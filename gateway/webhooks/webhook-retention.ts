/** Deletes expired webhook data: events, deliveries, replaced endpoint versions, unused secrets, inboxes. */
import type { Context } from '../context.ts'
import { lowestIdAt } from '../platform/ids.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { deleteOldEvents } from './events/delete-old-events.ts'
import { deleteOldInboxDeliveries } from './inbox/inbox-store.ts'
import { clearUnusedSecrets, deleteOldDeliveries, deleteUnreferencedEndpoints } from './webhook-retention-store.ts'

/**
 * By business time, or by wall time if that is earlier: data from a clock that was moved ahead, and back again, would
 * otherwise stay until that time comes.
 */
const RETENTION = { hours: 24 * 30 }

/** The retention sweep. */
export function webhookRetentionSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  return retentionSweep('webhook retention', clock, (real) => purgeBatch({ database, clock }, real))
}

/** Events first, and secrets last: those of a disabled subscription are deleted when it has no deliveries left. */
async function purgeBatch(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  real: Temporal.Instant,
): Promise<number> {
  const before = { business: clock.now().subtract(RETENTION), real: real.subtract(RETENTION) }
  const events = await deleteOldEvents({ database }, before)
  const age = { createdBefore: before.business, belowId: lowestIdAt(before.real) }
  const deliveries = await deleteOldDeliveries(database, age)
  const endpoints = await deleteUnreferencedEndpoints(database, lowestIdAt(real))
  const secrets = await clearUnusedSecrets(database, before.business)
  const inbox = await deleteOldInboxDeliveries(database, lowestIdAt(before.real))
  return events + deliveries + endpoints + secrets + inbox
}
