/** Runs sweeps: each looks for rows whose time has come, and sees to them, again and again, until it is stopped. */
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Trace } from './trace.ts'

/** One kind of waiting rows; a lease in the row keeps other workers away while one sees to it. */
export type Sweep = {
  readonly name: string
  /** Which time its rows wait for; the moved clock cares for business time only. */
  readonly time: 'business' | 'wall'
  /** When its next row falls due; null when nothing waits. */
  nextDue(): Promise<Temporal.Instant | null>
  /** Sees to up to `limit` due rows and says how many it found. */
  run(limit: number): Promise<number>
  /** After business time went back: what waits for a time ahead is due now, lest it waits for that time to come again. */
  recall?(): Promise<void>
}

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
}

/** Polling alone is quick enough for every bar; the queries are index look-ups. */
const ROUND_EVERY_MILLISECONDS = 250
const AFTER_FAILURE_MILLISECONDS = 2_000
const ROWS_PER_ROUND = 50
/** So many rounds of one sweep may be under way. */
const ROUNDS_AT_ONCE_MAX = 8

/** How many rows a round saw to, or that it failed. */
type Found = number | 'failed'

/** Starts every sweep in a loop of its own, so that a slow one delays no other. */
export function startSweeps(sweeps: readonly Sweep[], surroundings: SweepSurroundings): RunningSweeps {
  const stopping = new AbortController()
  const loops = sweeps.map((sweep) => loop(sweep, surroundings, stopping.signal))
  return {
    stop: async () => {
      stopping.abort()
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

/** A round that is held up, by a slow bank for example, does not keep the next one from beginning. */
async function loop(sweep: Sweep, surroundings: SweepSurroundings, stopping: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<Found>>()
  while (!stopping.aborted) {
    if (underWay.size >= ROUNDS_AT_ONCE_MAX) {
      await Promise.race(underWay)
    }
    const begun = round(sweep, surroundings)
    underWay.add(begun)
    begun.finally(() => underWay.delete(begun))
    const found = await settledWithin(begun, ROUND_EVERY_MILLISECONDS)
    if (found === 0) {
      await pause(ROUND_EVERY_MILLISECONDS, stopping)
    } else if (found === 'failed') {
      await pause(AFTER_FAILURE_MILLISECONDS, stopping)
    }
  }
  await Promise.all(underWay)
}

/** What the round found, or undefined when it goes on for longer than that. */
async function settledWithin(begun: Promise<Found>, milliseconds: number): Promise<Found | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([begun, late])
  } finally {
    clearTimeout(timer)
  }
}

async function round(sweep: Sweep, { clock, log, metrics, trace, beforeRound }: SweepSurroundings): Promise<Found> {
  const began = clock.real().epochMilliseconds
  const span = trace?.beginRound(sweep.name)
  const run = () => sweep.run(ROWS_PER_ROUND)
  try {
    await beforeRound?.()
    const found = await (span === undefined ? run() : span.within(run))
    if (found > 0) {
      span?.end({ 'havn.rows': found }, false)
      metrics.sweeps.observe({ sweep: sweep.name }, (clock.real().epochMilliseconds - began) / 1000)
    }
    return found
  } catch (error) {
    span?.end({}, true)
    metrics.sweepFailures.inc({ sweep: sweep.name })
    log.error({ sweep: sweep.name, error }, 'a sweep failed and will be tried again')
    return 'failed'
  }
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
