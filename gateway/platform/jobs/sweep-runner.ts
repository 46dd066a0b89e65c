/** Runs sweeps: each repeatedly finds due rows and processes them, until it is stopped. */
import { setTimeout } from 'node:timers/promises'
import type { ProgramContext } from '../program-context.ts'
import type { DueTimeWatcher } from './due-time-watcher.ts'
import { type FailureStreak, openFailureStreak } from './failure-streak.ts'
import type { Sweep } from './sweep.ts'

export type SweepRunner = {
  /** Waits for what is in flight, then stops. */
  stop(): Promise<void>
}

export type SweepPace = {
  /** Called before each round, e.g. to read the offset of business time. */
  readonly beforeRound?: () => Promise<void>
  /** Wakes sweeps when rows fall due; without it every sweep polls. */
  readonly dueTimeWatcher?: DueTimeWatcher
}

/** Polling alone meets every latency target; the queries are index lookups. */
export const DEFAULT_POLL_MILLISECONDS = 250
/**
 * The interval of background work such as retention: dozens of sweeps that poll at once would keep an idle database
 * busy.
 */
export const LOW_PRIORITY_POLL_MILLISECONDS = 10_000
/** Further due rows are processed in the next round. */
export const ROWS_PER_ROUND = 50
/** How long freed capacity is collected after a row has ended before the next round fills it. */
const REFILL_DELAY_MILLISECONDS = 25

/** Starts every sweep in a loop of its own, so that a slow one delays no other. */
export function startSweeps(sweeps: readonly Sweep[], context: ProgramContext, pace: SweepPace = {}): SweepRunner {
  const stopping = new AbortController()
  const { beforeRound = async () => undefined, dueTimeWatcher } = pace
  const loops = sweeps.map((sweep) => {
    const waitUntilDue = (milliseconds: number) => pauseUntilDue(sweep, milliseconds, dueTimeWatcher, stopping.signal)
    return sweep.work?.(stopping.signal, { beforeRound, waitUntilDue }) ?? loop(sweep, context, pace, stopping.signal)
  })
  return {
    stop: async () => {
      stopping.abort()
      dueTimeWatcher?.close()
      await Promise.all(loops)
    },
  }
}

/**
 * Runs sweeps, or in each round those that are due, until none of them finds anything, and returns how many rows they
 * processed. Throws what a sweep throws.
 */
export async function runSweepsUntilIdle(
  sweeps: readonly Sweep[] | (() => Promise<readonly Sweep[]>),
  roundsMax = 1_000,
): Promise<number> {
  let total = 0
  for (let round = 0; round < roundsMax; round += 1) {
    let found = 0
    for (const sweep of typeof sweeps === 'function' ? await sweeps() : sweeps) {
      found += await sweep.run(ROWS_PER_ROUND)
    }
    if (found === 0) {
      return total
    }
    total += found
  }
  throw new Error(`Sweeps still found work after ${roundsMax} rounds`)
}

/** Rounds of which some rows are in flight, and a signal that one of those rows has ended. */
type InFlightRounds = {
  readonly rounds: Set<Promise<void>>
  oneEnded: PromiseWithResolvers<void>
  readonly failures: FailureStreak
  readonly pace: SweepPace
}

/** Waits for rows only when it stops: a bank whose rows stay in flight does not delay the polling of another. */
async function loop(sweep: Sweep, context: ProgramContext, pace: SweepPace, stopping: AbortSignal): Promise<void> {
  const failures = openFailureStreak(context, sweep.name)
  const inFlight: InFlightRounds = { rounds: new Set(), oneEnded: Promise.withResolvers(), failures, pace }
  const { everyMilliseconds = DEFAULT_POLL_MILLISECONDS } = sweep
  while (!stopping.aborted) {
    inFlight.oneEnded = Promise.withResolvers()
    const { found, pauseMilliseconds } = await round(sweep, context, inFlight)
    if (pauseMilliseconds > 0) {
      await pause(pauseMilliseconds, stopping)
    } else if (found === 0) {
      const capacityFreed = inFlight.oneEnded.promise.then(() => pause(REFILL_DELAY_MILLISECONDS, stopping))
      await Promise.race([pauseUntilDue(sweep, everyMilliseconds, pace.dueTimeWatcher, stopping), capacityFreed])
    }
  }
  await Promise.all(inFlight.rounds)
}

type Round = { readonly found: number; readonly pauseMilliseconds: number }

/** How many rows were found, and how long to pause because the query failed; started rows continue after it. */
async function round(sweep: Sweep, context: ProgramContext, inFlight: InFlightRounds): Promise<Round> {
  const { clock, metrics, trace } = context
  const began = clock.real().epochMilliseconds
  const span = trace?.beginRound(sweep.name)
  const run = () => (sweep.begin === undefined ? sweep.run(ROWS_PER_ROUND) : sweep.begin(ROWS_PER_ROUND))
  try {
    await inFlight.pace.beforeRound?.()
    const begun = await (span === undefined ? run() : span.within(run))
    const [found, rows] = typeof begun === 'number' ? [begun, []] : [begun.length, begun]
    if (found > 0) {
      // Processing may have made rows of other sweeps due; a started row signals that when it ends.
      inFlight.pace.dueTimeWatcher?.requestRead()
      const ended = waitForRows(inFlight, rows).then((failed) => {
        span?.end({ 'havn.rows': found }, failed)
        metrics.sweeps.observe({ sweep: sweep.name }, (clock.real().epochMilliseconds - began) / 1000)
        inFlight.rounds.delete(ended)
      })
      inFlight.rounds.add(ended)
    }
    inFlight.failures.end()
    return { found, pauseMilliseconds: 0 }
  } catch (error) {
    span?.end({}, true)
    return { found: 0, pauseMilliseconds: inFlight.failures.record(error) }
  }
}

/** Whether any of the rows could not be processed because the database was unavailable, once all have ended. */
async function waitForRows(inFlight: InFlightRounds, rows: readonly Promise<void>[]): Promise<boolean> {
  const failures = rows.map(async (row) => {
    try {
      await row
      return false
    } catch (error) {
      inFlight.failures.record(error)
      return true
    } finally {
      inFlight.oneEnded.resolve()
      inFlight.pace.dueTimeWatcher?.requestRead()
    }
  })
  return (await Promise.all(failures)).includes(true)
}

/** Due rows that are not found are leased, or belong to a partition at its limit: the sweep polls for them. */
async function pauseUntilDue(
  sweep: Sweep,
  milliseconds: number,
  dueTimeWatcher: DueTimeWatcher | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const isAsleep = dueTimeWatcher?.watches(sweep) === true && !dueTimeWatcher.isDue(sweep)
  await (isAsleep && !stopping.aborted ? dueTimeWatcher.waitUntilDue(sweep) : pause(milliseconds, stopping))
}

async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal: stopping }).catch(() => undefined)
}
