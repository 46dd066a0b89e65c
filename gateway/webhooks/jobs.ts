/** Delivers what is ready, takes up again what waits for its next attempt, and forgets the log in time. */
import { leastIdAt } from '../foundation/ids.ts'
import type { Sweep } from '../foundation/sweeps.ts'
import { openDeliveries } from './deliver-ready.ts'
import { deliverUntil } from './delivery-loop.ts'
import { forgetDeliveries, makeReady, nextRetry, readySince, recallRetries } from './delivery-work-store.ts'
import type { WebhookContext } from './webhook-context.ts'

/** By wall time, as ids tell it: a clock that is moved ahead does not empty the log. */
const LOG_KEPT = { hours: 24 * 30 }
/** Looking through every subscription need not be done more often. */
const FORGET_EVERY = { minutes: 1 }

/** The sweeps over deliveries. */
export function webhookSweeps(context: WebhookContext): readonly Sweep[] {
  return [delivering(context), retrying(context), forgetting(context)]
}

function delivering(context: WebhookContext): Sweep {
  const deliveries = openDeliveries(context)
  return {
    name: 'webhook deliveries',
    time: 'business',
    nextDue: () => readySince(context.database),
    run: async (limit) => (await Promise.all(await deliveries.begin(limit))).length,
    work: (stopping, beforeRound) => deliverUntil(stopping, context, deliveries, beforeRound),
  }
}

function retrying({ database, clock }: WebhookContext): Sweep {
  return {
    name: 'webhook retries',
    time: 'business',
    nextDue: () => nextRetry(database),
    recall: () => recallRetries(database, clock.now()),
    run: (limit) => makeReady(database, clock.now(), limit),
  }
}

function forgetting({ database, clock }: WebhookContext): Sweep {
  let next = clock.real()
  return {
    name: 'webhook log',
    time: 'wall',
    nextDue: async () => null,
    run: async (limit) => {
      const real = clock.real()
      if (Temporal.Instant.compare(real, next) < 0) {
        return 0
      }
      const forgotten = await forgetDeliveries(database, leastIdAt(real.subtract(LOG_KEPT)), limit)
      next = forgotten === 0 ? real.add(FORGET_EVERY) : real
      return forgotten
    },
  }
}
