/** Keeps how far business time is ahead of wall time, in one row that every process reads. */
import { type MovableClock, steadyMilliseconds } from './clock.ts'
import type { Database } from './database/database.ts'
import type { Log } from './log.ts'

/** Processes that do not move the clock themselves are behind by this at most; what they do for others reads it before. */
const READ_EVERY_MILLISECONDS = 1_000
/** What was read so lately is not read again. */
const READ_LATELY_MILLISECONDS = 25

/** Puts a process's clock in step with the row. */
export async function readClock(database: Database<unknown>, clock: MovableClock): Promise<void> {
  const { rows } = await database.pool.query<{ offset: bigint }>({
    name: 'clock-read',
    text: 'select offset_milliseconds as "offset" from business_clock',
  })
  clock.setOffset(Number(rows[0]?.offset ?? 0n))
}

/**
 * Puts a process's clock in step for many who ask, each before a round or a request: together they send a statement now
 * and then, not one each.
 */
export function openSharedClockReader(
  database: Database<unknown>,
  clock: MovableClock,
  latelyMilliseconds = READ_LATELY_MILLISECONDS,
): () => Promise<void> {
  let latest: { readonly begun: number; readonly read: Promise<void> } | undefined
  return () => {
    const now = steadyMilliseconds()
    if (latest === undefined || now - latest.begun > latelyMilliseconds) {
      latest = { begun: now, read: readClock(database, clock) }
    }
    return latest.read
  }
}

/** Keeps a process's clock in step with the row until told to stop. */
export function followClock(database: Database<unknown>, clock: MovableClock, log: Log): { stop(): void } {
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

/** Sets business time to an instant, here and for every process. */
export async function setBusinessTime(
  database: Database<unknown>,
  clock: MovableClock,
  now: Temporal.Instant,
): Promise<void> {
  await writeOffset(database, clock, now.epochMilliseconds - clock.real().epochMilliseconds)
}

/** Puts business time back in step with wall time. */
export async function resetBusinessTime(database: Database<unknown>, clock: MovableClock): Promise<void> {
  await writeOffset(database, clock, 0)
}

/** Runs one move of the clock at a time; false when another one is under way. */
export async function whileMoving(database: Database<unknown>, move: () => Promise<void>): Promise<boolean> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from business_clock_moves for update nowait')
    await move()
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (isLocked(error)) {
      return false
    }
    throw error
  } finally {
    client.release()
  }
}

async function writeOffset(database: Database<unknown>, clock: MovableClock, offset: number): Promise<void> {
  await database.pool.query('update business_clock set offset_milliseconds = $1', [offset])
  clock.setOffset(offset)
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
