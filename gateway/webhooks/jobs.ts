/** Delivers ready deliveries, makes due retries ready, and applies retention to the log. */
import type { Sweep } from '../platform/jobs/sweep.ts'
import {
  anyReadyStatement,
  markDueDeliveriesReady,
  nextRetryAt,
  nextRetryStatement,
  readySince,
  rescheduleRetries,
} from './deliveries/delivery-attempt-store.ts'
import { openDeliveryWorker } from './deliveries/delivery-worker.ts'
import { runDeliveryLoop } from './deliveries/run-delivery-loop.ts'
import type { WebhookContext } from './webhook-context.ts'
import { webhookRetentionSweep } from './webhook-retention.ts'

/** The sweeps over deliveries. */
export function webhookSweeps(context: WebhookContext): readonly Sweep[] {
  return [deliverySweep(context), retrySweep(context), webhookRetentionSweep(context)]
}

function deliverySweep(context: WebhookContext): Sweep {
  const deliveries = openDeliveryWorker(context)
  return {
    name: 'webhook deliveries',
    time: 'business',
    nextDue: () => readySince(context.database),
    dueStatement: anyReadyStatement,
    run: async (limit) => (await Promise.all(await deliveries.begin(limit))).length,
    work: (stopping, pace) => runDeliveryLoop(stopping, context, deliveries, pace),
  }
}

function retrySweep({ database, clock }: WebhookContext): Sweep {
  return {
    name: 'webhook retries',
    time: 'business',
    nextDue: () => nextRetryAt(database),
    dueStatement: nextRetryStatement,
    recall: () => rescheduleRetries(database, clock.now()),
    run: (limit) => markDueDeliveriesReady(database, clock.now(), limit),
  }
}
