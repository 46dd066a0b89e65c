/** Asks the database for health checks, which wait for less time than requests do. */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** Shorter than the time after which load balancers and Prometheus take a check as failed. */
const CHECK_MILLISECONDS = 2_000

/** The answer of a question that began already. Throws `DatabaseUnavailable` when there is none in time. */
export async function answerInTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const waiting = new AbortController()
  const tooLate = async (): Promise<never> => {
    await pause(CHECK_MILLISECONDS, undefined, { signal: waiting.signal })
    throw new DatabaseUnavailable(new Error(`no answer within ${CHECK_MILLISECONDS} milliseconds`))
  }
  try {
    return await Promise.race([answer, tooLate()])
  } finally {
    waiting.abort()
  }
}
