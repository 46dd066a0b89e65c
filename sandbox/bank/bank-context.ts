/** What the sandbox bank's verbs work with: its world, its database, its clock and its ways out. */
import type { Transaction } from 'kysely'
import type { MovableClock } from '../../gateway/platform/clock.ts'
import type { Database } from '../../gateway/platform/database/database.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import type { Faults } from './faults.ts'
import type { World } from './fixture.ts'
import type { InsertOrder } from './payments/order-inserter.ts'
import type { Push } from './push-notifications.ts'
import type { Tables } from './tables.ts'

export type BankContext = {
  readonly world: World
  readonly database: Database<Tables>
  readonly insertOrder: InsertOrder
  readonly clock: MovableClock
  readonly log: Log
  readonly faults: Faults
  /** Serial numbers of certificates that are good no more, in lower case and without leading zeros. */
  readonly revoked: Set<string>
  readonly push: Push
  readonly addresses: Addresses
  /** Control address of the provider of exchange; null where there is none. */
  readonly fxUrl: string | null
}

/** Where the bank can be reached, without a final slash; known once its servers listen. */
export type Addresses = { xs2aUrl: string; pagesUrl: string }

/** One transaction on the bank's tables. */
export type BankTransaction = Transaction<Tables>
