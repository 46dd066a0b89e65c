/** Forgets idempotency keys once they are old enough. */
import type { Clock } from '../clock.ts'
import type { Sweep } from '../sweep.ts'
import { NOBODY_WAITS_MILLISECONDS } from '../sweeps.ts'
import type { IdempotencyTools } from './idempotency.ts'
import { forgetRequests, oldestRequest } from './idempotency-store.ts'

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
