/** Defines the context of a running gateway or worker: the shared parts, and those of single modules. */
import type { BankCallLog } from '../banks/calls/bank-call-log.ts'
import type { FxContext } from '../fx/fx-context.ts'
import type { IdentityContext } from '../identity/identity-context.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import type { RequestLog } from '../request-log/request-log.ts'
import type { WebhookContext } from '../webhooks/webhook-context.ts'

export type GatewayContext = WebhookContext &
  RegistryContext &
  IdentityContext &
  FxContext & {
    readonly requestLog: RequestLog
    readonly bankCallLog: BankCallLog
    /** Aborted when the program received SIGTERM: it is not ready for new connections, and serves those that it has. */
    readonly draining: AbortController
  }
