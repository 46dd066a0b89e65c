/** Deletes idempotency keys after their retention period. */
import type { Clock } from '../../clock.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../jobs/sweep-runner.ts'
import type { IdempotencyDependencies } from './idempotency.ts'
import { deleteOldRequests, findOldestRequestTime } from './idempotency-store.ts'

const RETENTION = { hours: 24 * 30 }

/** The sweep over idempotency keys. */
export function idempotencyRetentionSweep({
  pool,
  clock,
}: {
  readonly pool: IdempotencyDependencies['pool']
  readonly clock: Clock
}): Sweep {
  return {
    name: 'idempotency key retention',
    time: 'wall',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => (await findOldestRequestTime(pool))?.add(RETENTION) ?? null,
    run: (limit) => deleteOldRequests(pool, clock.real().subtract(RETENTION), limit),
  }
}
