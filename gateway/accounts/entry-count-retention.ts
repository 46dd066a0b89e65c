/** Deletes the counts of accounts' entries after their retention period. */
import type { Context } from '../context.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { ENTRY_COUNT_RETENTION } from './announce-new-entries.ts'
import { purgeEntryCounts } from './entry-count-store.ts'

/** The sweep over these counts. */
export function entryCountRetentionSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  return {
    name: 'account entry count retention',
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: (limit) => purgeEntryCounts(database, clock.today('UTC').subtract(ENTRY_COUNT_RETENTION), limit),
  }
}
