/** Defines the context of every program that works with the database, operators' commands included. */
import type { MovableClock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Trace } from './observability/trace.ts'

/** A store types `database.query` with its own tables. */
export type ProgramContext = {
  readonly database: Database<unknown>
  readonly clock: MovableClock
  readonly log: Log
  readonly metrics: Metrics
  /** Null where no collector is configured. */
  readonly trace: Trace | null
}
