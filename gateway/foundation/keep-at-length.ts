/** Repeats what must be kept for as long as a database takes to change over: a bank's yes is not lost to a cut connection. */
import { setTimeout as pause } from 'node:timers/promises'
import { wallMilliseconds } from '../platform/clock.ts'
import type { Log } from '../platform/observability/log.ts'

/** Most failovers are over within this time; recovery and people see to the rest. */
export const KEEP_TRYING_MILLISECONDS = 30_000
const PAUSE = { leastMilliseconds: 100, mostMilliseconds: 3_000 }
/**
 * SQLSTATE classes that say the same however often it is tried: bad values, broken constraints, a wrong schema, missing
 * rights. All others, and errors that have none, are connections cut, servers starting, standing by or full.
 */
const LASTING = new Set(['22', '23', '28', '42'])

/** Only for statements that may be carried out twice: whether the first one was, a cut connection does not tell. */
export async function keepAtLength<Result>(log: Log, keep: () => Promise<Result>): Promise<Result> {
  const until = wallMilliseconds() + KEEP_TRYING_MILLISECONDS
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await keep()
    } catch (error) {
      if (isLasting(error) || wallMilliseconds() >= until) {
        throw error
      }
      log.warn({ attempt, error }, 'what a bank answered could not be kept yet')
    }
    await pause(Math.min(PAUSE.leastMilliseconds * 2 ** attempt, PAUSE.mostMilliseconds))
  }
}

function isLasting(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && LASTING.has(code.slice(0, 2))
}
