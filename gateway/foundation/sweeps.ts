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

async function loop(sweep: Sweep, surroundings: SweepSurroundings, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const found = await round(sweep, surroundings)
    if (found === 0) {
      await pause(ROUND_EVERY_MILLISECONDS, stopping)
    } else if (found === 'failed') {
      await pause(AFTER_FAILURE_MILLISECONDS, stopping)
    }
  }
}

async function round(
  sweep: Sweep,
  { clock, log, metrics, trace, beforeRound }: SweepSurroundings,
): Promise<number | 'failed'> {
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
