/** A sweep that deletes data after their retention period, by wall time. */
import type { ProgramContext } from '../program-context.ts'
import { type BatchPurge, openBatchPurge } from './batch-purge.ts'
import type { Sweep } from './sweep.ts'
import { LOW_PRIORITY_POLL_MILLISECONDS } from './sweep-runner.ts'

/** Data need not be deleted to the second, and the look-up of every partner need not run more often. */
const PURGE_INTERVAL = { minutes: 1 }

/** `deleteBatch` returns how many rows it has deleted; it is repeated at once until there are none. */
export function retentionSweep(
  name: string,
  context: ProgramContext,
  deleteBatch: (real: Temporal.Instant, purge: BatchPurge) => Promise<number>,
): Sweep {
  const { clock } = context
  const purge = openBatchPurge(context, name)
  let next = clock.real()
  return {
    name,
    time: 'wall',
    everyMilliseconds: LOW_PRIORITY_POLL_MILLISECONDS,
    nextDue: async () => null,
    run: async () => {
      const real = clock.real()
      if (Temporal.Instant.compare(real, next) < 0) {
        return 0
      }
      const deleted = await deleteBatch(real, purge)
      next = deleted === 0 ? real.add(PURGE_INTERVAL) : real
      return deleted
    },
  }
}
