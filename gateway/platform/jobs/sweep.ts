/** A sweep: one kind of rows with a due time, and how they are processed. */
import type { RawBuilder } from 'kysely'

/** One kind of waiting rows; a lease in the row excludes other workers while one processes it. */
export type Sweep = {
  readonly name: string
  /** The clock of its due times; moves of the sandbox clock apply to business time only. */
  readonly time: 'business' | 'wall'
  /** The polling interval when nothing was due; the default is short enough for users. */
  readonly everyMilliseconds?: number
  /**
   * How late its rows may be processed in a long move of the sandbox clock; by default as late as a worker's next
   * round.
   */
  readonly toleranceMilliseconds?: number
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
