/** Retries a write for as long as a database failover takes: a bank's acceptance is not lost to a closed connection. */
import { setTimeout as pause } from 'node:timers/promises'
import { wallMilliseconds } from '../clock.ts'
import type { Log } from '../observability/log.ts'

/** Most failovers are over within this time; recovery and operators handle the rest. */
export const RETRY_PERSIST_MILLISECONDS = 30_000
const PAUSE = { leastMilliseconds: 100, mostMilliseconds: 3_000 }
/**
 * SQLSTATE classes of permanent errors: bad values, violated constraints, a wrong schema, missing privileges. All
 * others, and errors without a SQLSTATE, are closed connections or servers that are starting, in standby or full.
 */
const PERMANENT_SQLSTATE_CLASSES = new Set(['22', '23', '28', '42'])

/** Only for idempotent statements: after a closed connection it is unknown whether the first attempt was executed. */
export async function retryPersist<Result>(log: Log, persist: () => Promise<Result>): Promise<Result> {
  const until = wallMilliseconds() + RETRY_PERSIST_MILLISECONDS
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await persist()
    } catch (error) {
      if (isPermanent(error) || wallMilliseconds() >= until) {
        throw error
      }
      log.warn({ attempt, error }, 'result could not be stored yet; retrying')
    }
    await pause(Math.min(PAUSE.leastMilliseconds * 2 ** attempt, PAUSE.mostMilliseconds))
  }
}

function isPermanent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && PERMANENT_SQLSTATE_CLASSES.has(code.slice(0, 2))
}
