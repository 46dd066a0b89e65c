/** Deletes calls to banks from their log after the retention period. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { lowestIdAt } from '../../platform/ids.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import { deleteOldBankCalls } from './bank-call-store.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500
/** They need not be deleted to the second. */
const PURGE_INTERVAL = { minutes: 1 }

export function bankCallRetentionSweep({
  database,
  clock,
}: {
  readonly database: Database<unknown>
  readonly clock: Clock
}): Sweep {
  let next = clock.real()
  return {
    name: 'bank call retention',
    time: 'wall',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: async () => {
      const real = clock.real()
      if (Temporal.Instant.compare(real, next) < 0) {
        return 0
      }
      const before = real.subtract(RETENTION)
      const deleted = await deleteOldBankCalls(database, { belowId: lowestIdAt(before), before, limit: ROWS_PER_BATCH })
      next = deleted === 0 ? real.add(PURGE_INTERVAL) : real
      return deleted
    },
  }
}
