/** Stores the offset of business time from wall time, in one row that every process reads. */
import type { MovableClock } from '../clock.ts'
import { sharedResult } from '../concurrency.ts'
import type { Log } from '../observability/log.ts'
import type { Database } from './database.ts'
import { isLockError } from './database-unavailable.ts'

/** Upper bound of how stale the offset of a process is that does not move the clock itself. */
const READ_EVERY_MILLISECONDS = 1_000
/** An offset that was read within this time is not read again. */
const CLOCK_CACHE_MILLISECONDS = 25

/** Reads the stored offset into a process's clock, unless a later read or move of this process has set it meanwhile. */
export async function readClock(database: Database<unknown>, clock: MovableClock): Promise<void> {
  const setOffset = nextSetter(clock)
  const { rows } = await database.pool.query<{ offset: bigint }>({
    name: 'clock-read',
    text: 'select offset_milliseconds as "offset" from business_clock',
  })
  setOffset(Number(rows[0]?.offset ?? 0n))
}

/** For each clock, how many reads and moves have begun, and the number of the one that set the offset. */
const orderByClock = new WeakMap<MovableClock, { begun: number; applied: number }>()

/** Sets the offset once, but not after one that was begun later: a late answer would turn the clock back for a second. */
function nextSetter(clock: MovableClock): (offset: number) => void {
  const order = orderByClock.getOrInsertComputed(clock, () => ({ begun: 0, applied: 0 }))
  order.begun += 1
  const number = order.begun
  return (offset) => {
    if (number > order.applied) {
      order.applied = number
      clock.setOffset(offset)
    }
  }
}

/**
 * Refreshes the clock for concurrent callers, each before a round or a request; they share statements instead of
 * sending one each.
 */
export function createSharedClockReader(
  database: Database<unknown>,
  clock: MovableClock,
  latelyMilliseconds = CLOCK_CACHE_MILLISECONDS,
): () => Promise<void> {
  return sharedResult(() => readClock(database, clock), latelyMilliseconds)
}

/** Refreshes a process's clock periodically until it is stopped. */
export function startClockSync(database: Database<unknown>, clock: MovableClock, log: Log): { stop(): void } {
  let reading = false
  const timer = setInterval(() => {
    if (!reading) {
      reading = true
      readClock(database, clock)
        .catch((error: unknown) => log.warn({ error }, 'the clock could not be read'))
        .finally(() => {
          reading = false
        })
    }
  }, READ_EVERY_MILLISECONDS)
  return { stop: () => clearInterval(timer) }
}

/** Sets business time to an instant, in this and every other process. */
export async function setBusinessTime(
  database: Database<unknown>,
  clock: MovableClock,
  now: Temporal.Instant,
): Promise<void> {
  await writeOffset(database, clock, now.epochMilliseconds - clock.real().epochMilliseconds)
}

/** Resets business time to wall time. */
export async function resetBusinessTime(database: Database<unknown>, clock: MovableClock): Promise<void> {
  await writeOffset(database, clock, 0)
}

/** The lock for moving the clock, which one process holds at a time. */
export type ClockMoveLock = {
  /** Releases the lock. The target of the move is deleted with it, unless the move is to continue later. */
  release(options?: { readonly keepsTarget: boolean }): Promise<void>
}

/** Acquires the lock for moving the clock; undefined while another move is in flight. It ends with the process. */
export async function acquireClockMoveLock({ pool }: Database<unknown>): Promise<ClockMoveLock | undefined> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from business_clock_move_lock for update nowait')
  } catch (error) {
    await client.query('rollback').finally(() => client.release())
    if (isLockError(error)) {
      return undefined
    }
    throw error
  }
  return {
    release: async ({ keepsTarget } = { keepsTarget: false }) => {
      try {
        if (!keepsTarget) {
          await client.query('update business_clock set moving_to = null')
        }
        await client.query('commit')
        client.release()
      } catch {
        // The connection has ended, and the lock with it.
        client.release(true)
      }
    },
  }
}

/** Records the target of a move until the move has ended. */
export async function setClockMoveTarget({ pool }: Database<unknown>, target: Temporal.Instant): Promise<void> {
  await pool.query('update business_clock set moving_to = $1', [target.toString()])
}

/** The target of the move that has not ended, if any. */
export async function getClockMoveTarget({ pool }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ to: Temporal.Instant | null }>('select moving_to as "to" from business_clock')
  return rows[0]?.to ?? null
}

async function writeOffset(database: Database<unknown>, clock: MovableClock, offset: number): Promise<void> {
  await database.pool.query('update business_clock set offset_milliseconds = $1', [offset])
  nextSetter(clock)(offset)
}
