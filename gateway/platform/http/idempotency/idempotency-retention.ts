/** Deletes idempotency keys after their retention period. */

import { retentionSweep } from '../../jobs/retention-sweep.ts'
import type { Sweep } from '../../jobs/sweep.ts'
import type { ProgramContext } from '../../program-context.ts'
import { deleteOldRequests } from './idempotency-store.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

export function idempotencyRetentionSweep(context: ProgramContext): Sweep {
  return retentionSweep('idempotency key retention', context, (real, purge) =>
    purge.run('keys', ROWS_PER_BATCH, (range) =>
      deleteOldRequests(context.database.pool, real.subtract(RETENTION), range),
    ),
  )
}
