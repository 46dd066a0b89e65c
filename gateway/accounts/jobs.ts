/** Applies retention to what is recorded of accounts. */
import type { Context } from '../context.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from '../platform/jobs/sweep-runner.ts'
import { ENTRY_COUNTS_STORED_FOR } from './announce-new-entries.ts'
import { purgeEntryCounts } from './entry-count-store.ts'

/** The sweep over counts of entries. */
export function accountSweeps({ database, clock }: Pick<Context, 'database' | 'clock'>): readonly Sweep[] {
  const before = () => clock.today('UTC').subtract(ENTRY_COUNTS_STORED_FOR)
  return [
    {
      name: 'account entry count retention',
      time: 'business',
      everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
      nextDue: async () => null,
      run: (limit) => purgeEntryCounts(database, before(), limit),
    },
  ]
}
