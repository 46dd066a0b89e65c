/** Deletes calls to banks from their log after the retention period. */

import { lowestIdAt } from '../../platform/ids.ts'
import { retentionSweep } from '../../platform/jobs/retention-sweep.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { deleteOldBankCallCounts, deleteOldBankCalls } from './bank-call-store.ts'

const RETENTION = { hours: 24 * 30 }
const ROWS_PER_BATCH = 500

export function bankCallRetentionSweep(context: ProgramContext): Sweep {
  const { database } = context
  return retentionSweep('bank call retention', context, async (real, purge) => {
    const before = real.subtract(RETENTION)
    const belowId = lowestIdAt(before)
    const calls = await purge.run('calls', ROWS_PER_BATCH, (range) => deleteOldBankCalls(database, belowId, range))
    const counts = await purge.run('counts', ROWS_PER_BATCH, (range) =>
      deleteOldBankCallCounts(database, before, range),
    )
    return calls + counts
  })
}
