/** Delivers ready deliveries, makes due retries ready, and applies retention to the log. */
import type { Context } from '../context.ts'
import { lowestIdAt } from '../platform/ids.ts'
import { type BatchPurge, type BatchRange, isRowError } from '../platform/jobs/batch-purge.ts'
import { attemptOf, processRow } from '../platform/jobs/process-row.ts'
import { retentionSweep } from '../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { openDeliveryWorker, runDeliveryLoop } from './deliveries/delivery-worker.ts'
import { deleteOldInboxDeliveries } from './inbox/inbox.ts'
import { WEBHOOK_DELIVERIES } from './store/delivery.ts'
import {
  anyReadyStatement,
  listDueDeliveries,
  markDeliveryReady,
  markDueDeliveriesReady,
  nextRetryAt,
  nextRetryStatement,
  putBackDelivery,
  readySince,
  rescheduleRetries,
} from './store/delivery-attempt-store.ts'
import { deleteOldestEvents } from './store/event-store.ts'
import {
  clearUnusedSecrets,
  deleteOldDeliveries,
  deleteUnreferencedEndpoints,
} from './store/webhook-retention-store.ts'

/** The sweeps over deliveries. */
export function webhookSweeps(context: Context): readonly Sweep[] {
  return [deliverySweep(context), retrySweep(context), webhookRetentionSweep(context)]
}

function deliverySweep(context: Context): Sweep {
  const deliveries = openDeliveryWorker(context)
  return {
    name: WEBHOOK_DELIVERIES,
    time: 'business',
    nextDue: () => readySince(context.database),
    dueStatement: anyReadyStatement,
    run: async (limit) => (await Promise.all(await deliveries.begin(limit))).length,
    work: (stopping, pace) => runDeliveryLoop(stopping, context, deliveries, pace),
  }
}

const WEBHOOK_RETRIES = 'webhook retries'

function retrySweep(context: Context): Sweep {
  const { database, clock } = context
  return {
    name: WEBHOOK_RETRIES,
    time: 'business',
    nextDue: () => nextRetryAt(database),
    dueStatement: nextRetryStatement,
    recall: () => rescheduleRetries(database, clock.now()),
    run: async (limit) => {
      try {
        return await markDueDeliveriesReady(database, clock.now(), limit)
      } catch (error) {
        if (!isRowError(error)) {
          throw error
        }
        return await retryOneByOne(context, limit)
      }
    },
  }
}

/** One bad row fails the shared statement: every delivery is then made ready alone, and only the bad one is put back. */
async function retryOneByOne(context: Context, limit: number): Promise<number> {
  const { database } = context
  const now = context.clock.now()
  const due = await listDueDeliveries(database, now, limit)
  for (const delivery of due) {
    await processRow(
      context,
      await attemptOf(context, { sweep: WEBHOOK_RETRIES, partnerId: delivery.partnerId, rowId: delivery.id }),
      () => markDeliveryReady(database, delivery),
      (delay) => putBackDelivery(database, delivery, now.add(delay)),
    )
  }
  return due.length
}

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
