/** What a sweep is: one kind of rows that wait for a time, and how they are seen to. */
import type { RawBuilder } from 'kysely'

/** One kind of waiting rows; a lease in the row keeps other workers away while one sees to it. */
export type Sweep = {
  readonly name: string
  /** Which time its rows wait for; the moved clock cares for business time only. */
  readonly time: 'business' | 'wall'
  /** How soon it looks again when nothing was due; at once, as people see it, unless said. */
  readonly everyMilliseconds?: number
  /** How late its rows may be seen to in a long move of the sandbox clock; as late as a worker's next round unless said. */
  readonly toleranceMilliseconds?: number
  /** When its next row falls due; null when nothing waits. */
  nextDue(): Promise<Temporal.Instant | null>
  /** Selects that time as one value: a worker reads those of all its sweeps with one statement, and sleeps until then. */
  readonly dueStatement?: RawBuilder<unknown>
  /** Sees to up to `limit` due rows and says how many it found. */
  run(limit: number): Promise<number>
  /** Begins to see to up to `limit` due rows, each a promise of its own: what is slow keeps nothing else waiting. */
  begin?(limit: number): Promise<readonly Promise<void>[]>
  /** After business time went back: what waits for a time ahead is due now, lest it waits for that time to come again. */
  recall?(): Promise<void>
  /** Works at a pace of its own until told to stop, instead of round by round. */
  work?(stopping: AbortSignal, pace: OwnPace): Promise<void>
}

/** What a sweep with a pace of its own is told of the others. */
export type OwnPace = {
  readonly beforeRound: () => Promise<void>
  /** Settles when it may be worth looking again: when rows are due, and after these milliseconds if they were due already. */
  readonly untilDue: (milliseconds: number) => Promise<void>
}
