/** Repeats an attempt that other sessions block, with a growing pause, until the run has waited long enough. */
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMilliseconds } from '../../clock.ts'
import { describeLockWait, LockNotAcquired, type LockWait } from './lock-wait.ts'
import type { MigrationSession } from './migration-session.ts'

/** The longest pause, as a multiple of the first one. */
const PAUSE_GROWTH_MAX = 8

/** `name` is that of the migration, or of the step before the first one. */
export async function retryBlocked<Result>(
  { patience, pauseMilliseconds, reportWait }: MigrationSession,
  name: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    const startedAt = monotonicMilliseconds()
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LockNotAcquired)) {
        throw error
      }
      patience.leftMilliseconds -= monotonicMilliseconds() - startedAt
      if (patience.leftMilliseconds <= 0) {
        throw new Error(describeEnd(name, error.wait), { cause: error })
      }
      const pauseWanted = pauseMilliseconds * Math.min(2 ** failures, PAUSE_GROWTH_MAX)
      const milliseconds = Math.min(pauseWanted, patience.leftMilliseconds)
      reportWait(`${name} waits for ${describeLockWait(error.wait)}; next attempt in ${seconds(milliseconds)} s`)
      await pause(milliseconds)
      patience.leftMilliseconds -= milliseconds
    }
  }
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1_000)
}

function describeEnd(name: string, wait: LockWait): string {
  const pids = wait.blockers.map(({ pid }) => pid).filter((pid) => pid !== 0)
  const ending = pids.length === 0 ? '' : ` (${pids.map((pid) => `select pg_terminate_backend(${pid});`).join(' ')})`
  return (
    `${name} is not applied, and nothing of it: it waited for ${describeLockWait(wait)}. ` +
    `Let what blocks it end, or end it${ending}, and run havn migrate again; --wait-seconds makes it wait longer`
  )
}
