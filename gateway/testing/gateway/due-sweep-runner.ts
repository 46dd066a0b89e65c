/** Runs the due sweeps of a test gateway until nothing is due. */
import type { Context } from '../../context.ts'
import { createDueTimesReader } from '../../platform/jobs/due-time-watcher.ts'
import type { Sweep } from '../../platform/jobs/sweep.ts'
import { ROWS_PER_ROUND, runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'

/**
 * One statement reads which sweeps are due; to run each of them takes thirty. The first run asks each: some insert the
 * row by which they are due later.
 */
export function openDueSweepRunner({ database, clock }: Context, sweeps: readonly Sweep[]): () => Promise<void> {
  const readDueTimes = createDueTimesReader(
    database,
    sweeps.filter(({ dueStatement }) => dueStatement !== undefined),
  )
  const isDue = ({ time }: Sweep, dueAt: Temporal.Instant | null) =>
    dueAt !== null && Temporal.Instant.compare(dueAt, time === 'business' ? clock.now() : clock.real()) <= 0
  let isFirst = true
  return async () => {
    if (isFirst) {
      isFirst = false
      await runSweepsUntilIdle(sweeps)
      return
    }
    let found: number
    do {
      const dueTimes = await readDueTimes()
      found = 0
      for (const sweep of sweeps.filter((each) => isDue(each, dueTimes.get(each) ?? null) || !dueTimes.has(each))) {
        found += await sweep.run(ROWS_PER_ROUND)
      }
    } while (found > 0)
  }
}
