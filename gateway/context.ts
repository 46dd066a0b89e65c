/** What every verb gets first: the parts of a running gateway that rooms share. */
import type { Certificates } from './banks/certificates/certificates.ts'
import type { BankDirectory } from './banks/directory.ts'
import type { Config } from './config.ts'
import type { MovableClock } from './foundation/clock.ts'
import type { Database } from './foundation/database/database.ts'
import type { Log } from './foundation/log.ts'
import type { Metrics } from './foundation/metrics.ts'
import type { Seal } from './foundation/secrets.ts'
import type { Trace } from './foundation/trace.ts'

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
