/** What every verb gets first: the parts of a running gateway that rooms share. */
import type { Certificates } from './banks/certificates/tpp-certificates.ts'
import type { BankDirectory } from './banks/directory/bank-directory.ts'
import type { Config } from './config/config.ts'
import type { MovableClock } from './platform/clock.ts'
import type { Seal } from './platform/crypto/envelope-encryption.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/observability/log.ts'
import type { Metrics } from './platform/observability/metrics.ts'
import type { Trace } from './platform/observability/trace.ts'

/** The surroundings of a verb. A store types `database.query` with its own tables. */
export type Context = {
  readonly config: Config
  readonly log: Log
  readonly clock: MovableClock
  readonly database: Database<unknown>
  readonly seal: Seal
  readonly banks: BankDirectory
  /** What banks know us by. */
  readonly certificates: Certificates
  readonly metrics: Metrics
  /** Null where no collector is configured. */
  readonly trace: Trace | null
}
