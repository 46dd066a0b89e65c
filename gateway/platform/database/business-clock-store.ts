/** Keeps how far business time is ahead of wall time, in one row that every process reads. */
import { type MovableClock, steadyMilliseconds } from '../clock.ts'
import type { Log } from '../observability/log.ts'
import type { Database } from './database.ts'

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

/** The right to move the clock, which one process has at a time. */
export type MoveTurn = {
  /** Releases the right. The target of the move is deleted together with it, unless the move is to continue later. */
  release(options?: { readonly keepsTarget: boolean }): Promise<void>
}

/** Acquires the right to move the clock; undefined while another move is in flight. It ends with the process. */
export async function acquireMove({ pool }: Database<unknown>): Promise<MoveTurn | undefined> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from business_clock_moves for update nowait')
  } catch (error) {
    await client.query('rollback').finally(() => client.release())
    if (isLocked(error)) {
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
        // The connection has ended, and the right with it.
        client.release(true)
      }
    },
  }
}

/** Records where a move leads to until it has ended. */
export async function writeMoveTarget({ pool }: Database<unknown>, target: Temporal.Instant): Promise<void> {
  await pool.query('update business_clock set moving_to = $1', [target.toString()])
}

/** Where a move leads to that has not ended. */
export async function readMoveTarget({ pool }: Database<unknown>): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ to: Temporal.Instant | null }>('select moving_to as "to" from business_clock')
  return rows[0]?.to ?? null
}

async function writeOffset(database: Database<unknown>, clock: MovableClock, offset: number): Promise<void> {
  await database.pool.query('update business_clock set offset_milliseconds = $1', [offset])
  clock.setOffset(offset)
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
