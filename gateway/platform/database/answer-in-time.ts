/** Waits for an answer of the database no longer than who asked it may wait. */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** Of health checks: shorter than the time after which load balancers and Prometheus take one as failed. */
export const CHECK_MILLISECONDS = 2_000

/** The answer of what began already, which goes on. Throws `DatabaseUnavailable` when there is none in time. */
export async function answerInTime<Answer>(answer: Promise<Answer>, milliseconds: number): Promise<Answer> {
  const waiting = new AbortController()
  const tooLate = async (): Promise<never> => {
    await pause(milliseconds, undefined, { signal: waiting.signal })
    throw new DatabaseUnavailable(new Error(`no answer within ${milliseconds} milliseconds`))
  }
  try {
    return await Promise.race([answer, tooLate()])
  } finally {
    waiting.abort()
  }
}
