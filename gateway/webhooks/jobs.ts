/** Delivers ready deliveries, makes due retries ready, and applies retention to the log. */
import type { Context } from '../context.ts'
import { isRowError } from '../platform/jobs/batch-purge.ts'
import { attemptOf, processRow } from '../platform/jobs/process-row.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { openDeliveryWorker } from './deliveries/delivery-worker.ts'
import { runDeliveryLoop } from './deliveries/run-delivery-loop.ts'
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
import { webhookRetentionSweep } from './webhook-retention.ts'

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
