/** What the provider's verbs work with: its database, its clock, its faults, and whom it tells. */
import type { Transaction } from 'kysely'
import type { MovableClock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { Faults } from './faults.ts'
import type { Sessions } from './protocol/sessions.ts'
import type { Tables } from './tables.ts'

export type ProviderContext = {
  readonly database: Database<Tables>
  readonly clock: MovableClock
  readonly log: Log
  readonly faults: Faults
  readonly sessions: Sessions
  /** Where notifications go; null when nobody is told. */
  readonly notices: { url: string | null }
  readonly limits: CallLimits
  /** How often each operation was called since the start, e.g. `POST /conversions/create`. */
  readonly calls: Map<string, number>
}

/** How many calls are taken in a minute of wall time; beyond, they are answered with 429. */
export type CallLimits = { perMinute: number; since: Temporal.Instant | null; taken: number }

/** One transaction on the provider's tables. */
export type Books = Transaction<Tables>
