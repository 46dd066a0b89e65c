/** Defines the context that every operation gets: the parts of a running gateway that modules share. */
import type { TppCertificates } from './banks/certificates/tpp-certificates.ts'
import type { BankDirectory } from './banks/directory/bank-directory.ts'
import type { Config } from './config/config.ts'
import type { MovableClock } from './platform/clock.ts'
import type { Seal } from './platform/crypto/envelope-encryption.ts'
import type { KeyedDigest } from './platform/crypto/keyed-digest.ts'
import type { Database } from './platform/database/database.ts'
import type { OutcomeRecorder } from './platform/database/outcome-recorder.ts'
import type { Log } from './platform/observability/log.ts'
import type { Metrics } from './platform/observability/metrics.ts'
import type { Trace } from './platform/observability/trace.ts'

/** The context of an operation. A store types `database.query` with its own tables. */
export type Context = {
  readonly config: Config
  readonly log: Log
  readonly clock: MovableClock
  readonly database: Database<unknown>
  /** For what a bank answered, which is known nowhere else. */
  readonly outcomes: OutcomeRecorder
  readonly seal: Seal
  readonly digest: KeyedDigest
  readonly banks: BankDirectory
  /** Our certificates at banks. */
  readonly certificates: TppCertificates
  readonly metrics: Metrics
  /** Null where no collector is configured. */
  readonly trace: Trace | null
}
