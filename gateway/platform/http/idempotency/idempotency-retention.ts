/** Deletes idempotency keys after their retention period. */

import { openBatchPurge } from '../../jobs/batch-purge.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../jobs/sweep-runner.ts'
import type { ProgramContext } from '../../program-context.ts'
import { deleteOldRequests, findOldestRequestTime } from './idempotency-store.ts'

const RETENTION = { hours: 24 * 30 }
const NAME = 'idempotency key retention'

export function idempotencyRetentionSweep(context: ProgramContext): Sweep {
  const { clock, database } = context
  const { pool } = database
  const purge = openBatchPurge(context, NAME)
  return {
    name: NAME,
    time: 'wall',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => (await findOldestRequestTime(pool))?.add(RETENTION) ?? null,
    run: (limit) => {
      const before = clock.real().subtract(RETENTION)
      return purge.run('keys', limit, (range) => deleteOldRequests(pool, before, range))
    },
  }
}
