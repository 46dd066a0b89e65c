/** Records the outcome of work that was done elsewhere, such as a bank's answer, until the database has it. */
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMilliseconds } from '../clock.ts'
import { createInFlightCounter } from '../concurrency.ts'
import type { Log } from '../observability/log.ts'
import { resultInTime } from '../wait-until.ts'
import { DatabaseUnavailable, DEADLOCK, errorCodeOf, noAnswerWithin } from './database-unavailable.ts'

/**
 * Only for idempotent statements: after a closed connection it is unknown whether the first attempt was executed. It is
 * repeated while the database is away, and after a deadlock; any other error is final, and so is the end of the program.
 */
export type OutcomeRecorder = {
  /** Resolves when it is recorded. `onFailed` is called with a final error, also when no caller waits any more. */
  record<Result>(persist: () => Promise<Result>, onFailed?: (error: unknown) => Promise<void>): Promise<Result>
  /**
   * The same for a request, which does not wait for longer than it may: throws `DatabaseUnavailable` then, and the
   * recording continues.
   */
  recordInTime<Result>(persist: () => Promise<Result>, onFailed?: (error: unknown) => Promise<void>): Promise<Result>
  /** Gives what is not recorded yet a last chance, and resolves when nothing is in flight. */
  stop(): Promise<void>
}

type RecorderSettings = {
  readonly log: Pick<Log, 'warn'>
  /** How long a request waits. */
  readonly waitMilliseconds: number
}

const PAUSE = { leastMilliseconds: 100, mostMilliseconds: 1_000 }
/** Shorter than the time that a program has to stop. */
const LAST_CHANCE_MILLISECONDS = 5_000

export function openOutcomeRecorder({ log, waitMilliseconds }: RecorderSettings): OutcomeRecorder {
  const inFlight = createInFlightCounter()
  let until = Number.POSITIVE_INFINITY

  const record: OutcomeRecorder['record'] = async (persist, onFailed) => {
    inFlight.begin()
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await persist()
        } catch (error) {
          if (!isTemporary(error) || monotonicMilliseconds() >= until) {
            await onFailed?.(error)
            throw error
          }
          log.warn({ attempt, error }, 'an outcome could not be recorded yet; retrying')
        }
        await pause(Math.min(PAUSE.leastMilliseconds * 2 ** attempt, PAUSE.mostMilliseconds))
      }
    } finally {
      inFlight.end()
    }
  }
  return {
    record,
    recordInTime: (persist, onFailed) => resultInTime(record(persist, onFailed), waitMilliseconds, noAnswerWithin),
    stop: async () => {
      until = Math.min(until, monotonicMilliseconds() + LAST_CHANCE_MILLISECONDS)
      await inFlight.none()
    },
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || errorCodeOf(error) === DEADLOCK
}
