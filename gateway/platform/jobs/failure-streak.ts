/** Follows the failures of something that is repeated: counts each, logs the first of several, and makes the pauses longer. */

import { isDatabaseUnavailable } from '../database/database-unavailable.ts'
import type { ProgramContext } from '../program-context.ts'

export type FailureStreak = {
  /** Returns how long to pause before the next attempt. */
  record(error: unknown): number
  end(): void
}

const PAUSE_MILLISECONDS_MIN = 2_000
const PAUSE_MILLISECONDS_MAX = 60_000

/**
 * None has failed yet. While the database is away all sweeps fail at once, which is no fault of any and has an alert of its
 * own; pauses stay short, because work is to resume as soon as it is back.
 */
export function openFailureStreak(
  { log, metrics }: Pick<ProgramContext, 'log' | 'metrics'>,
  sweep: string,
): FailureStreak {
  let failures = 0
  return {
    record: (error) => {
      if (isDatabaseUnavailable(error)) {
        log.debug({ sweep, error }, 'a sweep waits for the database')
        return PAUSE_MILLISECONDS_MIN
      }
      metrics.sweepFailures.inc({ sweep })
      if (failures === 0) {
        log.error({ sweep, error }, 'a sweep fails; it is retried')
      }
      failures += 1
      return Math.min(PAUSE_MILLISECONDS_MIN * 2 ** (failures - 1), PAUSE_MILLISECONDS_MAX)
    },
    end: () => {
      failures = 0
    },
  }
}
