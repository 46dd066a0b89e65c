/** Deletes the counts of reads without the user after their retention period. */
import type { Context } from '../../context.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../../platform/jobs/sweep-runner.ts'
import { purgeUnattendedReads } from './unattended-read-store.ts'

/** A counter is valid on its day only, in the bank's time zone; it is stored longer for support. */
const RETENTION = { days: 7 }

/** The sweep over these counts. */
export function unattendedReadRetentionSweep({ database, clock }: Pick<Context, 'database' | 'clock'>): Sweep {
  return {
    name: 'unattended read retention',
    time: 'business',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: (limit) => purgeUnattendedReads(database, clock.today('UTC').subtract(RETENTION), limit),
  }
}
