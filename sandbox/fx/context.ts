/** The context of the provider's operations: database, clock, faults and notification target. */
import type { MovableClock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { ClosablePort } from '../closable-port.ts'
import type { Faults } from './faults.ts'
import type { Sessions } from './protocol/sessions.ts'
import type { Tables } from './tables.ts'

export type Context = {
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

/** Commits all of the work or none of it. The work gets the same context on the connection of the transaction. */
export async function inTransaction<Result>(
  context: Context,
  carryOut: (context: Context) => Promise<Result>,
): Promise<Result> {
  return await context.database.query
    .transaction()
    .execute((query) => carryOut({ ...context, database: { ...context.database, query } }))
}

/** The provider's single account, and the single contact of that account. */
export const HOUSE = {
  accountId: '72970a7c-7921-431c-b95f-3438724ba16f',
  contactId: 'a66ca63f-e668-47af-8bb9-74363240d781',
  payerId: '79a8e858-4610-4ac7-a8a6-4bb4aa6a7b66',
} as const
