/** The context of the provider's operations: database, clock, faults and notification target. */
import type { Transaction } from 'kysely'
import type { MovableClock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { ClosablePort } from '../closable-port.ts'
import type { Faults } from './faults.ts'
import type { Sessions } from './protocol/sessions.ts'
import type { Tables } from './tables.ts'

export type ProviderContext = {
  readonly database: Database<Tables>
  readonly clock: MovableClock
  readonly log: Log
  readonly faults: Faults
  /** The port of the public API. */
  readonly port: ClosablePort
  readonly sessions: Sessions
  /** URL for notifications; null when none are sent. */
  readonly notices: { url: string | null }
  readonly limits: CallLimits
  /** Calls per operation since the start, e.g. `POST /conversions/create`. */
  readonly calls: Map<string, number>
}

/** Calls permitted per minute of wall time; further ones are answered with 429. */
export type CallLimits = { perMinute: number; since: Temporal.Instant | null; taken: number }

export type BooksTransaction = Transaction<Tables>
