/** Deletes calls to banks from their log after the retention period. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import { retentionSweep } from '../../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { deleteOldBankCalls } from './bank-call-store.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

export function bankCallRetentionSweep({
  database,
  clock,
}: {
  readonly database: Database<unknown>
  readonly clock: Clock
}): Sweep {
  return retentionSweep('bank call retention', clock, async (real) => {
    const before = real.subtract(RETENTION)
    return await deleteOldBankCalls(database, { belowId: lowestIdAt(before), before, limit: ROWS_PER_BATCH })
  })
}
