/** Forgets what webhooks leave behind: events, deliveries, endpoints that were replaced, secrets that nobody needs. */
import type { Context } from '../context.ts'
import { forgetEvents } from '../events/forget-events.ts'
import type { Sweep } from '../foundation/sweep.ts'
import { leastIdAt } from '../platform/ids.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { forgetLanes } from './held-lane-store.ts'
import { forgetDeliveries, forgetEndpoints, forgetSecrets } from './retention-store.ts'

/**
 * By business time; what has been there for as long by wall time goes as well, lest what was made under a clock that was
 * moved ahead, and back again, stays until that time comes.
 */
const KEPT = { hours: 24 * 30 }
/** Looking through every partner and subscription need not be done more often. */
const FORGET_EVERY = { minutes: 1 }

/** The sweep that forgets. */
export function retentionSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  let next = clock.real()
  return {
    name: 'webhook retention',
    time: 'wall',
    everyMilliseconds: NOBODY_WAITS_MILLISECONDS,
    nextDue: async () => null,
    run: async () => {
      const real = clock.real()
      if (Temporal.Instant.compare(real, next) < 0) {
        return 0
      }
      const forgotten = await forgetSome({ database, clock })
      next = forgotten === 0 ? real.add(FORGET_EVERY) : real
      return forgotten
    },
  }
}

/** Events first, and secrets last: those of a disabled subscription go when it has no deliveries left. */
async function forgetSome({ database, clock }: Pick<Context, 'database' | 'clock'>): Promise<number> {
  const real = clock.real()
  const before = { business: clock.now().subtract(KEPT), real: real.subtract(KEPT) }
  const events = await forgetEvents({ database }, before)
  const age = { createdBefore: before.business, belowId: leastIdAt(before.real) }
  const deliveries = await forgetDeliveries(database, age)
  const endpoints = await forgetEndpoints(database, leastIdAt(real))
  const secrets = await forgetSecrets(database, before.business)
  return events + deliveries + endpoints + secrets + (await forgetLanes(database))
}
