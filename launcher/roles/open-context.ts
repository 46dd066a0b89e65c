/** Opens the shared parts: database, clock, seal, banks and metrics. */
import { readFile } from 'node:fs/promises'
import { openBankCallLog } from '../../gateway/banks/calls/bank-call-log.ts'
import type { BankRequest } from '../../gateway/banks/connector/connector-dependencies.ts'
import { type BankDirectory, openBankDirectory } from '../../gateway/banks/directory/bank-directory.ts'
import { type BankProfiles, openBankProfiles } from '../../gateway/banks/directory/bank-profile-files.ts'
import type { BankCall, BankCallObserver } from '../../gateway/banks/transport/bank-http-client.ts'
import { openBankTransport } from '../../gateway/banks/transport/bank-transport.ts'
import type { Config } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import { dealMetrics } from '../../gateway/fx/deal-metrics.ts'
import { openFxProvider } from '../../gateway/fx/providers/open-fx-provider.ts'
import type { ProviderCall } from '../../gateway/fx/providers/provider-transport.ts'
import { openIdentityProviders } from '../../gateway/identity/identity-providers.ts'
import { orderMetrics } from '../../gateway/orders/status/order-metrics.ts'
import { type MovableClock, movableClock } from '../../gateway/platform/clock.ts'
import { createSeal, parseMasterKeys } from '../../gateway/platform/crypto/envelope-encryption.ts'
import { openKeyedDigest } from '../../gateway/platform/crypto/keyed-digest.ts'
import { readClock, startClockSync } from '../../gateway/platform/database/business-clock-store.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { openOutcomeRecorder } from '../../gateway/platform/database/outcome-recorder.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { type Metrics, openMetrics } from '../../gateway/platform/observability/metrics.ts'
import { openTrace, type Trace } from '../../gateway/platform/observability/trace.ts'
import { openRegistries } from '../../gateway/registries/open-registries.ts'
import type { RegistryCall } from '../../gateway/registries/registry-client.ts'
import { openRequestLog } from '../../gateway/request-log/request-log.ts'
import { internalAddresses } from '../../gateway/webhooks/deliveries/dispatch/internal-addresses.ts'
import {
  openWebhookDispatcher,
  type WebhookDispatcher,
} from '../../gateway/webhooks/deliveries/dispatch/webhook-dispatcher.ts'

/** A call for very many payments is logged with the first ones. */
const LOGGED_PAYMENTS_MAX = 20

/** As many as the reads of a request that begin together. */
const IDLE_CONNECTIONS = 2

/** A context, and how to close it. */
export type OpenedContext = { readonly context: Context; close(): Promise<void> }

/** How a process opens its context. */
type ContextOptions = { readonly program: string; readonly processMetrics: boolean; readonly clock?: MovableClock }

/** Opens all parts; no server is started. Those that are open are closed when another cannot be opened. */
export async function openContext(
  config: Config,
  log: Log,
  { program, processMetrics, clock = movableClock() }: ContextOptions,
): Promise<OpenedContext> {
  // Closed in reverse order.
  await using opened = new AsyncDisposableStack()
  const seal = createSeal(parseMasterKeys(await readFile(config.masterKeyFile, 'utf8')))
  const trace = config.tracesUrl === null ? null : await openTrace(config.tracesUrl, program)
  opened.defer(() => trace?.close())
  const { database, outcomes } = openDatabaseOf(config, program, log)
  opened.defer(() => database.close())
  const metrics = openMetricsOfModules({ processMetrics })
  const bankCallLog = openBankCallLog({ config, database, clock, log, metrics })
  const requestLog = openRequestLog({ config, database, log, metrics })
  opened.defer(async () => void (await Promise.all([requestLog.flush(), bankCallLog.flush()])))
  opened.defer(() => outcomes.stop())
  const clients = await openOutboundClients(config, { database, clock, log, metrics, trace }, opened)
  const atBanks = { database, clock, log, metrics, trace, bankCallLog }
  const banks = await openBanks(config, await openBankProfiles(config.bankProfilesFolder, log), atBanks, opened)
  await readClock(database, clock)
  const clockSync = config.mode === 'sandbox' ? startClockSync(database, clock, log) : undefined
  opened.defer(() => clockSync?.stop())
  const parts = opened.move()
  return {
    context: {
      config,
      log,
      clock,
      database,
      outcomes,
      seal,
      digest: openKeyedDigest({ database, seal, clock }),
      metrics,
      trace,
      requestLog,
      bankCallLog,
      draining: new AbortController(),
      ...banks,
      ...clients,
    },
    close: () => parts.disposeAsync(),
  }
}

function openDatabaseOf(config: Config, program: string, log: Log): Pick<Context, 'database' | 'outcomes'> {
  const answerMilliseconds = config.databaseAnswerTimeoutSeconds * 1_000
  // A move of the clock holds one while it uses others.
  const connectionsMax = Math.max(config.databaseConnectionsMax, config.mode === 'sandbox' ? 2 : 1)
  const database = openDatabase<unknown>({
    connectionString: config.databaseUrl,
    applicationName: program,
    connectionsMax,
    connectionsMin: Math.min(IDLE_CONNECTIONS, config.databaseConnectionsMax),
    poolMode: config.databasePoolMode,
    answerMilliseconds,
  })
  return { database, outcomes: openOutcomeRecorder({ log, waitMilliseconds: answerMilliseconds }) }
}

async function openBanks(
  config: Config,
  profiles: BankProfiles,
  { bankCallLog, ...parts }: Observers & Pick<Context, 'database' | 'clock' | 'bankCallLog'>,
  opened: AsyncDisposableStack,
): Promise<Pick<Context, 'banks' | 'certificates'>> {
  const directory: { banks?: BankDirectory } = {}
  const observer: BankCallObserver = (call, exchange) => {
    bankCallLog.record(call, exchange)
    observe(call, exchange.request, parts)
    recordHealth(call, exchange, { banks: directory.banks, log: parts.log })
  }
  const { certificates, tools, resetFailures, close } = await openBankTransport(config, { ...parts, observer })
  opened.defer(close)
  const { database, clock, log } = parts
  const banks = openBankDirectory({ database, profiles, tools, resetFailures, clock, log })
  directory.banks = banks
  return { banks, certificates }
}

/** Clients for services other than banks. */
async function openOutboundClients(
  config: Config,
  { database, clock, ...observers }: Observers & Pick<Context, 'database' | 'clock'>,
  opened: AsyncDisposableStack,
): Promise<Pick<Context, 'dispatch' | 'identity' | 'registries' | 'fx'>> {
  const dispatch = await openDeliveries(config)
  opened.defer(() => dispatch.close())
  const registries = openRegistries(config.companyRegistries, {
    clock,
    observe: (call) => observeRegistry(call, observers),
  })
  opened.defer(() => registries.close())
  const provider = await openFxProvider(config.fx, {
    observe: (call) => observeProvider(call, observers),
    database,
  })
  opened.defer(() => provider.close())
  return { dispatch, identity: openIdentityProviders(config, clock), registries, fx: provider.fx }
}

/** Settings for the sandbox only are null or empty in production. */
async function openDeliveries(config: Config): Promise<WebhookDispatcher> {
  const { webhookAllowedNetworks, webhookHttpAllowed, webhookCaFile, sandboxInboxUrl } = config
  return openWebhookDispatcher({
    own: internalAddresses(config),
    allowedNetworks: webhookAllowedNetworks,
    httpAllowed: webhookHttpAllowed,
    inboxUrl: sandboxInboxUrl,
    trustedCertificates: webhookCaFile === null ? null : await readFile(webhookCaFile, 'utf8'),
  })
}

type Observers = {
  readonly metrics: Metrics
  readonly trace: Trace | null
  readonly log: Log
}

function observe(call: BankCall, { about }: BankRequest, { metrics, trace, log }: Observers): void {
  const { bank, operation, milliseconds, requestId } = call
  const outcome = 'error' in call ? 'unreachable' : String(call.status)
  metrics.bankCalls.observe({ bank, operation, outcome }, milliseconds / 1000)
  trace?.addCall(
    { name: `bank ${operation}`, milliseconds, failed: call.outcome === 'failed' },
    {
      'havn.bank': bank,
      'havn.operation': operation,
      'havn.outcome': outcome,
      ...(requestId === null ? {} : { 'havn.bank_request_id': requestId }),
    },
  )
  log.debug({ ...call, paymentIds: about?.paymentIds.slice(0, LOGGED_PAYMENTS_MAX) }, 'a bank was called')
}

function recordHealth(
  call: BankCall,
  { request, failedBefore }: Parameters<BankCallObserver>[1],
  { banks, log }: { readonly banks: BankDirectory | undefined; readonly log: Log },
): void {
  // Without an answer the bank itself has failed, whatever the call was about.
  const isRepeated = failedBefore && !('error' in call) && request.resource !== undefined
  banks?.recordCall(call, isRepeated).catch((error: unknown) => {
    log.warn({ bank: call.bank, error }, 'the health of a bank could not be stored')
  })
}

function observeRegistry(call: RegistryCall, { metrics, trace, log }: Observers): void {
  const { registry, operation, outcome, milliseconds } = call
  metrics.registryCalls.observe({ registry, operation, outcome }, milliseconds / 1000)
  trace?.addCall(
    { name: `registry ${operation}`, milliseconds, failed: outcome === 'unreachable' },
    { 'havn.registry': registry, 'havn.operation': operation, 'havn.outcome': outcome },
  )
  log.debug(call, 'a company registry was called')
}

function observeProvider(call: ProviderCall, { metrics, trace, log }: Observers): void {
  const { provider, operation, outcome, milliseconds } = call
  metrics.fxCalls.observe({ provider, operation, outcome }, milliseconds / 1000)
  trace?.addCall(
    { name: `provider ${operation}`, milliseconds, failed: outcome === 'unreachable' },
    { 'havn.provider': provider, 'havn.operation': operation, 'havn.outcome': outcome },
  )
  log.debug(call, 'the FX provider was called')
}

export function openMetricsOfModules(options: Parameters<typeof openMetrics>[0]): Context['metrics'] {
  const metrics = openMetrics(options)
  return { ...metrics, ...dealMetrics(metrics.registry), ...orderMetrics(metrics.registry) }
}
