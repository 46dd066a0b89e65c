/** A sweep: one kind of rows with a due time, how they are processed, and what is due next. */
import type { RawBuilder } from 'kysely'
import type { Clock } from '../clock.ts'
import { mapWithConcurrency } from '../concurrency.ts'

/** One kind of waiting rows; a lease in the row excludes other workers while one processes it. */
export type Sweep = {
  readonly name: string
  /** The clock of its due times; moves of the sandbox clock apply to business time only. */
  readonly time: 'business' | 'wall'
  /** The polling interval when nothing was due; the default is short enough for users. */
  readonly everyMilliseconds?: number | undefined
  /**
   * How late its rows may be processed in a long move of the sandbox clock; by default as late as a worker's next
   * round.
   */
  readonly toleranceMilliseconds?: number | undefined
  /** When its next row falls due; null when nothing waits. */
  nextDue(): Promise<Temporal.Instant | null>
  /**
   * Selects that time as one value: a worker reads those of all its sweeps with one statement, and sleeps until then.
   */
  readonly dueStatement?: RawBuilder<unknown>
  /** Processes up to `limit` due rows and returns how many it found; waits for rows that are locked at this moment. */
  run(limit: number): Promise<number>
  /** Starts processing up to `limit` due rows, one promise per row: a slow row delays no other. */
  begin?(limit: number): Promise<readonly Promise<void>[]>
  /**
   * After business time was moved back: makes rows due now that wait for a future time, instead of waiting for it
   * again.
   */
  recall?(): Promise<void>
  /** Runs in a loop of its own until stopped, instead of round by round. */
  work?(stopping: AbortSignal, pace: SweepPacing): Promise<void>
}

/** What a sweep with its own loop gets from the runner. */
export type SweepPacing = {
  readonly beforeRound: () => Promise<void>
  /** Resolves when rows are due, and after these milliseconds if they were due already. */
  readonly waitUntilDue: (milliseconds: number) => Promise<void>
}

export type SweepState = {
  readonly name: string
  /** Of which clock its times are. */
  readonly time: Sweep['time']
  /** When the next row is due; null when none waits. */
  readonly nextDue: Temporal.Instant | null
  /** Since when the next row is due, if it is. */
  readonly dueSince: Temporal.Instant | null
}

/** The present by the clock of a sweep. */
export function presentOf(clock: Clock, { time }: Pick<Sweep, 'time'>): Temporal.Instant {
  return time === 'business' ? clock.now() : clock.real()
}

const AT_ONCE = 4

/** In the order of the sweeps. Each costs the index look-up that workers repeat all the time. */
export async function listSweepStates(
  { clock }: { readonly clock: Clock },
  sweeps: readonly Sweep[],
): Promise<readonly SweepState[]> {
  return await mapWithConcurrency(sweeps, AT_ONCE, async (sweep) => {
    const next = await sweep.nextDue()
    const isDue = next !== null && Temporal.Instant.compare(next, presentOf(clock, sweep)) <= 0
    return { name: sweep.name, time: sweep.time, nextDue: next, dueSince: isDue ? next : null }
  })
}
