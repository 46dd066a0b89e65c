/** Defines the context that every operation gets: the parts of a running gateway that modules share. */
import type { BankCallLog } from './banks/calls/bank-call-log.ts'
import type { TppCertificates } from './banks/certificates/tpp-certificates.ts'
import type { BankDirectory } from './banks/directory/bank-directory.ts'
import type { Config } from './config/config.ts'
import type { dealMetrics } from './fx/deal-metrics.ts'
import type { FxProvider } from './fx/providers/fx-provider.ts'
import type { IdentityProviders } from './identity/identity-providers.ts'
import type { orderMetrics } from './orders/status/order-metrics.ts'
import type { Seal } from './platform/crypto/envelope-encryption.ts'
import type { KeyedDigest } from './platform/crypto/keyed-digest.ts'
import type { OutcomeRecorder } from './platform/database/outcome-recorder.ts'
import type { ProgramContext } from './platform/program-context.ts'
import type { CompanyRegistries } from './registries/company-registry.ts'
import type { RequestLog } from './request-log/request-log.ts'
import type { WebhookDispatcher } from './webhooks/deliveries/dispatch/webhook-dispatcher.ts'

/** The context of a gateway or worker. In a transaction, `database` is the connection of that transaction. */
export type Context = ProgramContext & {
  readonly config: Config
  readonly metrics: ReturnType<typeof dealMetrics> & ReturnType<typeof orderMetrics>
  /** For what a bank answered, which is known nowhere else. */
  readonly outcomes: OutcomeRecorder
  readonly seal: Seal
  readonly digest: KeyedDigest
  readonly banks: BankDirectory
  /** Our certificates at banks. */
  readonly certificates: TppCertificates
  /** Null when none is configured; operations that need one are not offered then. */
  readonly fx: FxProvider | null
  readonly identity: IdentityProviders
  readonly registries: CompanyRegistries
  readonly dispatch: WebhookDispatcher
  readonly requestLog: RequestLog
  readonly bankCallLog: BankCallLog
  /** Aborted when the program received SIGTERM: it is not ready for new connections, and serves those that it has. */
  readonly draining: AbortController
}
