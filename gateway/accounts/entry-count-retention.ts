/** Deletes the counts of accounts' entries after their retention period. */

import { openBatchPurge } from '../platform/jobs/batch-purge.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import { ENTRY_COUNT_RETENTION } from './announce-new-entries.ts'
import { purgeEntryCounts } from './entry-count-store.ts'

const NAME = 'account entry count retention'

/** The sweep over these counts. */
export function entryCountRetentionSweep(context: ProgramContext): Sweep {
  const { database, clock } = context
  const purge = openBatchPurge(context, NAME)
  return {
    name: NAME,
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: (limit) => {
      const before = clock.today('UTC').subtract(ENTRY_COUNT_RETENTION)
      return purge.run('counts', limit, (range) => purgeEntryCounts(database, before, range))
    },
  }
}
