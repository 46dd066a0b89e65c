/** Watches when rows of sweeps fall due, all with one statement, so that workers sleep until then. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Sweep } from '../../foundation/sweep.ts'
import { type Clock, steadyMilliseconds } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'

/** What is known of due times. */
export type DueWatch = {
  /** Whether the watch knows when its rows fall due. */
  watches(sweep: Sweep): boolean
  /** Whether a row was due at the last read. A leased row counts as due. */
  isDue(sweep: Sweep): boolean
  /** Settles when a row of the sweep is due, or when the watch is closed. */
  untilDue(sweep: Sweep): Promise<void>
  /** Due times may have changed: reads them again. */
  readSoon(): void
  close(): void
}

export type DueWatchSettings = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Called before each read, e.g. to read the offset of business time. */
  readonly beforeRead?: () => Promise<void>
  /** How long to wait until the next read when nothing asks for one and nothing falls due. */
  readonly everyMilliseconds: () => number
}

/** Under load every answer of a gateway asks for a read; so many suffice. */
const APART_MILLISECONDS = 50
const AFTER_FAILURE_MILLISECONDS = 2_000

/** Starts to watch those sweeps that say with which statement; one that says how often it looks keeps its own pace. */
export function openDueWatch(sweeps: readonly Sweep[], settings: DueWatchSettings): DueWatch {
  const { clock, database } = settings
  const watched = sweeps.filter((sweep) => sweep.dueStatement !== undefined && sweep.everyMilliseconds === undefined)
  const waiting = new Map<Sweep, Sleeper>()
  const readDues = duesReader(database, watched)
  let dues: ReadonlyMap<Sweep, Temporal.Instant | null> = new Map()
  const millisecondsUntilDue = (sweep: Sweep): number => {
    const due = dues.get(sweep)
    const now = sweep.time === 'business' ? clock.now() : clock.real()
    return due == null ? Number.POSITIVE_INFINITY : due.epochMilliseconds - now.epochMilliseconds
  }
  const isDue = (sweep: Sweep) => millisecondsUntilDue(sweep) <= 0

  /** Wakes the sweeps whose rows are due, and says how long the others may sleep. */
  const read = async (): Promise<number> => {
    await settings.beforeRead?.()
    dues = await readDues()
    for (const [sweep, { wake }] of waiting) {
      if (isDue(sweep)) {
        waiting.delete(sweep)
        wake()
      }
    }
    return Math.min(settings.everyMilliseconds(), ...[...waiting.keys()].map(millisecondsUntilDue))
  }
  const schedule = openSchedule(async () => {
    try {
      return await read()
    } catch (error) {
      settings.metrics.sweepFailures.inc({ sweep: 'due times' })
      settings.log.error({ error }, 'due times could not be read; they will be read again')
      return AFTER_FAILURE_MILLISECONDS
    }
  })
  return {
    watches: (sweep) => watched.includes(sweep),
    isDue,
    untilDue: (sweep) => {
      const sleeper = waiting.get(sweep) ?? newSleeper()
      waiting.set(sweep, sleeper)
      schedule.soon()
      return sleeper.woken
    },
    readSoon: schedule.soon,
    close: () => {
      schedule.close()
      for (const { wake } of waiting.values()) {
        wake()
      }
    },
  }
}

type Sleeper = { readonly woken: Promise<void>; readonly wake: () => void }

function newSleeper(): Sleeper {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { woken: promise, wake: resolve }
}

type Schedule = { soon(): void; close(): void }

/** Runs something again and again, one run at a time: when a run says, or sooner when asked. */
function openSchedule(run: () => Promise<number>): Schedule {
  let timer: NodeJS.Timeout | undefined
  let [isRunning, isClosed] = [false, false]
  let [beganAt, nextAt] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const runBy = (at: number): void => {
    nextAt = Math.min(nextAt, Math.max(at, beganAt + APART_MILLISECONDS))
    clearTimeout(timer)
    if (!(isRunning || isClosed)) {
      timer = setTimeout(runNow, Math.max(0, Math.ceil(nextAt - steadyMilliseconds())))
    }
  }
  const runNow = async (): Promise<void> => {
    beganAt = steadyMilliseconds()
    nextAt = Number.POSITIVE_INFINITY
    isRunning = true
    const milliseconds = await run()
    isRunning = false
    runBy(steadyMilliseconds() + milliseconds)
  }
  const soon = () => runBy(steadyMilliseconds())
  soon()
  return {
    soon,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Makes what reads the due times of sweeps that have a statement for them: with one, which is put together once. */
export function duesReader(
  database: Database<unknown>,
  sweeps: readonly Sweep[],
): () => Promise<ReadonlyMap<Sweep, Temporal.Instant | null>> {
  const parts = sweeps.map(
    ({ dueStatement }, place) => sql`select ${sql.lit(place)} as place, (${dueStatement}) as "dueAt"`,
  )
  const statement = sql<DueAt>`${sql.join(parts, sql` union all `)}`.compile(database.query)
  // Planned once by each connection: that takes ten times as long as to run it.
  const query = { name: `due-times-${hashOf(statement.sql)}`, text: statement.sql, values: [...statement.parameters] }
  return async () => {
    const { rows } = parts.length === 0 ? { rows: [] } : await database.pool.query<DueAt>(query)
    return new Map(sweeps.map((sweep, place) => [sweep, rows.find((row) => row.place === place)?.dueAt ?? null]))
  }
}

/** Another set of sweeps on the same connection is another statement. */
function hashOf(statement: string): string {
  return createHash('sha256').update(statement).digest('hex').slice(0, 16)
}

type DueAt = { readonly place: number; readonly dueAt: Temporal.Instant | null }
