/** Runs sweeps: each looks for rows whose time has come, and sees to them, again and again, until it is stopped. */

import type { Sweep } from '../../foundation/sweep.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Trace } from '../observability/trace.ts'
import type { DueWatch } from './due-time-watcher.ts'

/** Sweeps at work. */
export type RunningSweeps = {
  /** Finishes what is under way, then ends. */
  stop(): Promise<void>
}

export type SweepSurroundings = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly trace?: Trace | null
  /** Called before each round, e.g. to read the offset of business time. */
  readonly beforeRound?: () => Promise<void>
  /** Knows when rows fall due; without it every sweep looks again and again. */
  readonly dueWatch?: DueWatch
}

/** Polling alone is quick enough for every bar; the queries are index look-ups. */
export const ROUND_EVERY_MILLISECONDS = 250
/** For what nobody waits for, as what is to be forgotten: dozens of sweeps that look at once keep a database busy all night. */
export const NOBODY_WAITS_MILLISECONDS = 10_000
const AFTER_FAILURE_MILLISECONDS = 2_000
/** More that is due is for the next round. */
export const ROWS_PER_ROUND = 50
/** A row that has ended leaves its place to the next; so long others that end have theirs filled with it. */
const AFTER_AN_END_MILLISECONDS = 25

/** Starts every sweep in a loop of its own, so that a slow one delays no other. */
export function startSweeps(sweeps: readonly Sweep[], surroundings: SweepSurroundings): RunningSweeps {
  const stopping = new AbortController()
  const { beforeRound = async () => undefined, dueWatch } = surroundings
  const loops = sweeps.map((sweep) => {
    const untilDue = (milliseconds: number) => pauseUntilDue(sweep, milliseconds, dueWatch, stopping.signal)
    return sweep.work?.(stopping.signal, { beforeRound, untilDue }) ?? loop(sweep, surroundings, stopping.signal)
  })
  return {
    stop: async () => {
      stopping.abort()
      dueWatch?.close()
      await Promise.all(loops)
    },
  }
}

/** Runs sweeps until none of them finds anything due, and says how many rows they saw to. Throws what a sweep throws. */
export async function sweepUntilIdle(sweeps: readonly Sweep[], roundsMax = 1_000): Promise<number> {
  let total = 0
  for (let round = 0; round < roundsMax; round += 1) {
    let found = 0
    for (const sweep of sweeps) {
      found += await sweep.run(ROWS_PER_ROUND)
    }
    if (found === 0) {
      return total
    }
    total += found
  }
  throw new Error(`Sweeps still found work after ${roundsMax} rounds`)
}

/** Rounds of which some rows are under way, and a signal that one of those rows has ended. */
type UnderWay = { readonly rounds: Set<Promise<void>>; oneEnded: PromiseWithResolvers<void> }

/** Waits for no row but when it stops: a bank that keeps its rows under way keeps no other from being asked. */
async function loop(sweep: Sweep, surroundings: SweepSurroundings, stopping: AbortSignal): Promise<void> {
  const underWay: UnderWay = { rounds: new Set(), oneEnded: Promise.withResolvers() }
  const { everyMilliseconds = ROUND_EVERY_MILLISECONDS } = sweep
  while (!stopping.aborted) {
    underWay.oneEnded = Promise.withResolvers()
    const found = await round(sweep, surroundings, underWay)
    if (found === 0) {
      const placeLeft = underWay.oneEnded.promise.then(() => pause(AFTER_AN_END_MILLISECONDS, stopping))
      await Promise.race([pauseUntilDue(sweep, everyMilliseconds, surroundings.dueWatch, stopping), placeLeft])
    } else if (found === 'failed') {
      await pause(AFTER_FAILURE_MILLISECONDS, stopping)
    }
  }
  await Promise.all(underWay.rounds)
}

/** How many rows were found, or that looking for them failed; those that are begun go on after it. */
async function round(sweep: Sweep, surroundings: SweepSurroundings, underWay: UnderWay): Promise<number | 'failed'> {
  const { clock, metrics, trace, beforeRound } = surroundings
  const began = clock.real().epochMilliseconds
  const span = trace?.beginRound(sweep.name)
  const look = () => (sweep.begin === undefined ? sweep.run(ROWS_PER_ROUND) : sweep.begin(ROWS_PER_ROUND))
  try {
    await beforeRound?.()
    const begun = await (span === undefined ? look() : span.within(look))
    const [found, rows] = typeof begun === 'number' ? [begun, []] : [begun.length, begun]
    if (found > 0) {
      // What was done may have made rows of other sweeps due; what is begun says so when it ends.
      surroundings.dueWatch?.readSoon()
      const ended = endOf(sweep, surroundings, underWay, rows).then((failed) => {
        span?.end({ 'havn.rows': found }, failed)
        metrics.sweeps.observe({ sweep: sweep.name }, (clock.real().epochMilliseconds - began) / 1000)
        underWay.rounds.delete(ended)
      })
      underWay.rounds.add(ended)
    }
    return found
  } catch (error) {
    span?.end({}, true)
    noteFailure(sweep, surroundings, error)
    return 'failed'
  }
}

/** Whether any of the rows failed, once all have ended; one that failed comes again when its lease is over. */
async function endOf(
  sweep: Sweep,
  surroundings: SweepSurroundings,
  underWay: UnderWay,
  rows: readonly Promise<void>[],
): Promise<boolean> {
  const failures = rows.map(async (row) => {
    try {
      await row
      return false
    } catch (error) {
      noteFailure(sweep, surroundings, error)
      return true
    } finally {
      underWay.oneEnded.resolve()
      surroundings.dueWatch?.readSoon()
    }
  })
  return (await Promise.all(failures)).includes(true)
}

function noteFailure({ name }: Sweep, { metrics, log }: SweepSurroundings, error: unknown): void {
  metrics.sweepFailures.inc({ sweep: name })
  log.error({ sweep: name, error }, 'a sweep failed and will be tried again')
}

/** Rows that are due although none was found are leased, or of a share that has all its places: they are looked for again. */
async function pauseUntilDue(
  sweep: Sweep,
  milliseconds: number,
  dueWatch: DueWatch | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const isAsleep = dueWatch?.watches(sweep) === true && !dueWatch.isDue(sweep)
  await (isAsleep && !stopping.aborted ? dueWatch.untilDue(sweep) : pause(milliseconds, stopping))
}

function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) {
      resolve()
      return
    }
    const timer = setTimeout(ended, milliseconds)
    stopping.addEventListener('abort', ended, { once: true })
    function ended() {
      clearTimeout(timer)
      stopping.removeEventListener('abort', ended)
      resolve()
    }
  })
}
