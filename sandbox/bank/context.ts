/** Defines the context of the sandbox bank's operations: fixture, database, clock and HTTP clients. */
import type { MovableClock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { ScaTargets } from './authorisations/sca-target.ts'
import type { Faults } from './faults.ts'
import type { BankFixture } from './fixture.ts'
import type { InsertOrder } from './payments/order-inserter.ts'
import type { PushMessage, PushSender } from './push-notifications.ts'
import type { Tables } from './tables.ts'
import type { BankPorts } from './xs2a/bank-ports.ts'

/** In a transaction, `database` is its connection, and `push` waits until it is committed. */
export type Context = {
  readonly fixture: BankFixture
  readonly database: Database<Tables>
  readonly insertOrder: InsertOrder
  readonly scaTargets: ScaTargets<Context>
  readonly clock: MovableClock
  readonly log: Log
  readonly faults: Faults
  readonly ports: BankPorts
  /** Serial numbers of revoked certificates, in lower case and without leading zeros. */
  readonly revoked: Set<string>
  readonly push: PushSender
  readonly addresses: Addresses
  /** Control URL of the FX provider; null where there is none. */
  readonly fxUrl: string | null
}

/** URLs without a trailing slash, those of banks by base path; known once the servers listen. */
export type Addresses = { bankUrls: ReadonlyMap<string, string>; pagesUrl: string }

/**
 * Commits all of the work or none of it; what it sends leaves once it is committed. The work gets the same context on the
 * connection of the transaction.
 */
export async function inTransaction<Result>(
  context: Context,
  carryOut: (context: Context) => Promise<Result>,
): Promise<Result> {
  const messages: PushMessage[] = []
  const push: PushSender = { ...context.push, send: (message) => void messages.push(message) }
  const result = await context.database.query
    .transaction()
    .execute((query) => carryOut({ ...context, push, database: { ...context.database, query } }))
  for (const message of messages) {
    context.push.send(message)
  }
  return result
}
