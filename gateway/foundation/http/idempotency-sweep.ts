/** Forgets idempotency keys once they are old enough. */
import type { Clock } from '../../platform/clock.ts'
import { forgetRequests, oldestRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import type { Sweep } from '../sweep.ts'
import type { IdempotencyTools } from './idempotency.ts'

const KEPT = { hours: 24 * 30 }

/** The sweep over idempotency keys. */
export function idempotencySweep({
  pool,
  clock,
}: {
  readonly pool: IdempotencyTools['pool']
  readonly clock: Clock
}): Sweep {
  return {
    name: 'idempotency keys',
    time: 'wall',
    everyMilliseconds: NOBODY_WAITS_MILLISECONDS,
    nextDue: async () => (await oldestRequest(pool))?.add(KEPT) ?? null,
    run: (limit) => forgetRequests(pool, clock.real().subtract(KEPT), limit),
  }
}
