/** Defines the context of the sandbox bank's operations: fixture, database, clock and HTTP clients. */
import type { Kysely, Transaction } from 'kysely'
import type { MovableClock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { ScaTargets } from './authorisations/sca-target.ts'
import type { Faults } from './faults.ts'
import type { BankFixture } from './fixture.ts'
import type { InsertOrder } from './payments/order-inserter.ts'
import type { PushSender } from './push-notifications.ts'
import type { Tables } from './tables.ts'
import type { BankPorts } from './xs2a/bank-ports.ts'

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

/** The database, or a transaction of it. */
export type Queries = Kysely<Tables>
export type BankTransaction = Transaction<Tables>
