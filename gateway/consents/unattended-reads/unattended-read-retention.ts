/** Deletes the counts of reads without the user after their retention period. */

import { openBatchPurge } from '../../platform/jobs/batch-purge.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { purgeUnattendedReads } from './unattended-read-store.ts'

const NAME = 'unattended read retention'
/** A counter is valid on its day only, in the bank's time zone; it is stored longer for support. */
const RETENTION = { days: 7 }

/** The sweep over these counts. */
export function unattendedReadRetentionSweep(context: ProgramContext): Sweep {
  const { database, clock } = context
  const purge = openBatchPurge(context, NAME)
  return {
    name: NAME,
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: (limit) => {
      const before = clock.today('UTC').subtract(RETENTION)
      return purge.run('counters', limit, (range) => purgeUnattendedReads(database, before, range))
    },
  }
}
