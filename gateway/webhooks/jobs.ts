/** Delivers what is ready, takes up again what waits for its next attempt, and forgets the log in time. */
import type { Sweep } from '../foundation/sweep.ts'
import { openDeliveries } from './deliver-ready.ts'
import {
  anyReadyStatement,
  makeReady,
  nextRetry,
  nextRetryStatement,
  readySince,
  recallRetries,
} from './deliveries/delivery-attempt-store.ts'
import { deliverUntil } from './deliveries/run-delivery-loop.ts'
import { retentionSweep } from './retention.ts'
import type { WebhookContext } from './webhook-context.ts'

/** The sweeps over deliveries. */
export function webhookSweeps(context: WebhookContext): readonly Sweep[] {
  return [delivering(context), retrying(context), retentionSweep(context)]
}

function delivering(context: WebhookContext): Sweep {
  const deliveries = openDeliveries(context)
  return {
    name: 'webhook deliveries',
    time: 'business',
    nextDue: () => readySince(context.database),
    dueStatement: anyReadyStatement,
    run: async (limit) => {
      const made = await Promise.all(await deliveries.begin(limit))
      await deliveries.leaveToOthers()
      return made.length
    },
    work: (stopping, pace) => deliverUntil(stopping, context, deliveries, pace),
  }
}

function retrying({ database, clock }: WebhookContext): Sweep {
  return {
    name: 'webhook retries',
    time: 'business',
    nextDue: () => nextRetry(database),
    dueStatement: nextRetryStatement,
    recall: () => recallRetries(database, clock.now()),
    run: (limit) => makeReady(database, clock.now(), limit),
  }
}
