/** Reads the next due times of all sweeps with one statement, so that workers sleep until then. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Clock, monotonicMilliseconds } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseUnavailable } from '../database/database-unavailable.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { openFailureStreak } from './failure-streak.ts'
import { presentOf, type Sweep } from './sweep.ts'

export type DueTimeWatcher = {
  /** Whether the watcher reads the due times of this sweep. */
  watches(sweep: Sweep): boolean
  /** Whether a row was due at the last read. A leased row counts as due. */
  isDue(sweep: Sweep): boolean
  /** Resolves when a row of the sweep is due, or when the watcher is closed. */
  waitUntilDue(sweep: Sweep): Promise<void>
  /** Due times may have changed: reads them again. */
  requestRead(): void
  close(): void
}

export type DueTimeWatcherSettings = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Called before each read, e.g. to read the offset of business time. */
  readonly beforeRead?: () => Promise<void>
  /** How long to wait until the next read when none is requested and nothing falls due. */
  readonly everyMilliseconds: () => number
}

/** Under load every response of a gateway requests a read; this rate suffices. */
const APART_MILLISECONDS = 50

/** Watches the sweeps that have a due-time statement; a sweep with a polling interval keeps that interval. */
export function startDueTimeWatcher(sweeps: readonly Sweep[], settings: DueTimeWatcherSettings): DueTimeWatcher {
  const { clock, database } = settings
  const watched = sweeps.filter((sweep) => sweep.dueStatement !== undefined && sweep.everyMilliseconds === undefined)
  const waiting = new Map<Sweep, PromiseWithResolvers<void>>()
  const readDues = createDueTimesReader(database, watched)
  let dues: ReadonlyMap<Sweep, Temporal.Instant | null> = new Map()
  const millisecondsUntilDue = (sweep: Sweep): number => {
    const due = dues.get(sweep)
    return due == null ? Number.POSITIVE_INFINITY : due.epochMilliseconds - presentOf(clock, sweep).epochMilliseconds
  }
  // A statement that one sweep makes fail must not keep the others asleep: they poll meanwhile.
  let isReadable = true
  const isDue = (sweep: Sweep) => !isReadable || millisecondsUntilDue(sweep) <= 0
  const wakeDue = () => {
    for (const [sweep, { resolve }] of waiting) {
      if (isDue(sweep)) {
        waiting.delete(sweep)
        resolve()
      }
    }
  }

  /** Wakes the sweeps whose rows are due, and returns how long the others may sleep. */
  const read = async (): Promise<number> => {
    await settings.beforeRead?.()
    dues = await readDues()
    isReadable = true
    wakeDue()
    return Math.min(settings.everyMilliseconds(), ...[...waiting.keys()].map(millisecondsUntilDue))
  }
  const failures = openFailureStreak(settings, 'due times')
  const schedule = openSchedule(async () => {
    try {
      const milliseconds = await read()
      failures.end()
      return milliseconds
    } catch (error) {
      isReadable = isDatabaseUnavailable(error)
      if (isReadable) {
        settings.log.warn({ error }, 'the database is not available; nothing that is due is processed')
      }
      wakeDue()
      return failures.record(error)
    }
  })
  return {
    watches: (sweep) => watched.includes(sweep),
    isDue,
    waitUntilDue: (sweep) => {
      const { promise } = waiting.getOrInsertComputed(sweep, () => Promise.withResolvers<void>())
      schedule.soon()
      return promise
    },
    requestRead: schedule.soon,
    close: () => {
      schedule.close()
      for (const { resolve } of waiting.values()) {
        resolve()
      }
    },
  }
}

type Schedule = { soon(): void; close(): void }

/** Runs a task repeatedly, one run at a time: after the delay that a run returns, or sooner on request. */
function openSchedule(run: () => Promise<number>): Schedule {
  let timer: NodeJS.Timeout | undefined
  let [isRunning, isClosed] = [false, false]
  let [beganAt, nextAt] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const runBy = (at: number): void => {
    nextAt = Math.min(nextAt, Math.max(at, beganAt + APART_MILLISECONDS))
    clearTimeout(timer)
    if (!(isRunning || isClosed)) {
      timer = setTimeout(runNow, Math.max(0, Math.ceil(nextAt - monotonicMilliseconds())))
    }
  }
  const runNow = async (): Promise<void> => {
    beganAt = monotonicMilliseconds()
    nextAt = Number.POSITIVE_INFINITY
    isRunning = true
    const milliseconds = await run()
    isRunning = false
    runBy(monotonicMilliseconds() + milliseconds)
  }
  const soon = () => runBy(monotonicMilliseconds())
  soon()
  return {
    soon,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/**
 * Creates the function that reads the due times of all sweeps with a due-time statement; their statements are combined
 * once.
 */
export function createDueTimesReader(
  database: Database<unknown>,
  sweeps: readonly Sweep[],
): () => Promise<ReadonlyMap<Sweep, Temporal.Instant | null>> {
  const parts = sweeps.map(
    ({ dueStatement }, place) => sql`select ${sql.lit(place)} as place, (${dueStatement}) as "dueAt"`,
  )
  const statement = sql<DueAt>`${sql.join(parts, sql` union all `)}`.compile(database.query)
  // Prepared once per connection: planning takes ten times as long as executing.
  const query = { name: `due-times-${hashOf(statement.sql)}`, text: statement.sql, values: [...statement.parameters] }
  return async () => {
    const { rows } = parts.length === 0 ? { rows: [] } : await database.pool.query<DueAt>(query)
    return new Map(sweeps.map((sweep, place) => [sweep, rows.find((row) => row.place === place)?.dueAt ?? null]))
  }
}

/**
 * Creates the function that finds the sweeps with a due row, and those without a due-time statement. One statement reads
 * the due times; to run a sweep without due rows takes two.
 */
export function createDueSweepsReader(
  { database, clock }: Pick<DueTimeWatcherSettings, 'database' | 'clock'>,
  sweeps: readonly Sweep[],
): () => Promise<readonly Sweep[]> {
  const timed = sweeps.filter(({ dueStatement }) => dueStatement !== undefined)
  const readDueTimes = createDueTimesReader(database, timed)
  return async () => {
    const dueTimes = await readDueTimes()
    return sweeps.filter((sweep) => {
      const dueAt = dueTimes.get(sweep)
      return dueAt === undefined || (dueAt !== null && Temporal.Instant.compare(dueAt, presentOf(clock, sweep)) <= 0)
    })
  }
}

/** Another set of sweeps on the same connection is another statement. */
function hashOf(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 16)
}

type DueAt = { readonly place: number; readonly dueAt: Temporal.Instant | null }
