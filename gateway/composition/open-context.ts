/** Opens what all rooms share: database, clock, seal, banks and measures. */
import { readFile } from 'node:fs/promises'
import { openBankLine } from '../banks/bank-line.ts'
import { type BankDirectory, openBankDirectory } from '../banks/directory/bank-directory.ts'
import { outcomeOfCall } from '../banks/directory/bank-health.ts'
import { openBankProfiles } from '../banks/directory/bank-profile-files.ts'
import type { BankCall } from '../banks/transport/bank-http-client.ts'
import { circuitOf } from '../banks/transport/circuit.ts'
import type { Config } from '../config/config.ts'
import { openFxProvider } from '../fx/providers/open-fx-provider.ts'
import type { ProviderCall } from '../fx/providers/provider-transport.ts'
import type { GatewayContext } from '../gateway-context.ts'
import { openIdentityProviders } from '../identity/identity-providers.ts'
import { type Clock, movableClock } from '../platform/clock.ts'
import { parseMasterKeys, sealWith } from '../platform/crypto/envelope-encryption.ts'
import { followClock, readClock } from '../platform/database/business-clock-store.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import type { Log } from '../platform/observability/log.ts'
import { type Metrics, openMetrics } from '../platform/observability/metrics.ts'
import { openTrace, type Trace } from '../platform/observability/trace.ts'
import { openRegistries } from '../registries/open-registries.ts'
import type { RegistryCall } from '../registries/registry-client.ts'
import { ownPlaces } from '../webhooks/deliveries/dispatch/internal-addresses.ts'
import { type Dispatch, openDispatch } from '../webhooks/deliveries/dispatch/webhook-dispatcher.ts'

/** A context, and how to close it again. */
export type OpenedContext = { readonly context: GatewayContext; close(): Promise<void> }

/** Opens everything; nothing is served yet. */
export async function openContext(
  config: Config,
  log: Log,
  { program, processMetrics }: { readonly program: string; readonly processMetrics: boolean },
): Promise<OpenedContext> {
  const seal = sealWith(parseMasterKeys(await readFile(config.masterKeyFile, 'utf8')))
  const profiles = await openBankProfiles(config.bankProfilesFolder, log)
  const database = openDatabase<unknown>({
    connectionString: config.databaseUrl,
    applicationName: program,
    connectionsMax: config.databaseConnectionsMax,
  })
  const clock = movableClock()
  const metrics = openMetrics({ processMetrics })
  const trace = config.tracesUrl === null ? null : await openTrace(config.tracesUrl, program)
  const directory: { banks?: BankDirectory } = {}
  const observer = (call: BankCall) => observe(call, { metrics, trace, banks: directory.banks, log })
  const line = await openBankLine(config, { clock, log, metrics, observer })
  const { certificates } = line
  const banks = openBankDirectory({
    database,
    profiles,
    tools: line.tools,
    forgetFailures: line.forgetFailures,
    clock,
    log,
  })
  directory.banks = banks
  const ways = await openWaysOut(config, { database, clock, log, metrics, trace })
  const following = config.mode === 'sandbox' ? followClock(database, clock, log) : undefined
  await readClock(database, clock)
  return {
    context: { config, log, clock, database, seal, banks, certificates, metrics, trace, ...ways.parts },
    close: async () => {
      following?.stop()
      await line.close()
      await ways.close()
      await database.close()
      await trace?.close()
    },
  }
}

/** Ways out beside that to the banks. */
type WaysOut = {
  readonly parts: Pick<GatewayContext, 'dispatch' | 'identity' | 'registries' | 'fx'>
  close(): Promise<void>
}

async function openWaysOut(
  config: Config,
  {
    database,
    clock,
    ...observers
  }: Omit<Observers, 'banks'> & { readonly database: Database<unknown>; readonly clock: Clock },
): Promise<WaysOut> {
  const dispatch = await openDeliveries(config)
  const observe = (call: RegistryCall) => observeRegistry(call, observers)
  const registries = openRegistries(config.companyRegistries, { clock, observe })
  const provider = await openFxProvider(config.fx, {
    observe: (call) => observeProvider(call, observers),
    database,
  })
  return {
    parts: { dispatch, identity: openIdentityProviders(config, clock), registries, fx: provider.fx },
    close: async () => {
      await dispatch.close()
      await registries.close()
      await provider.close()
    },
  }
}

/** What only the sandbox may have is null or empty in production. */
async function openDeliveries(config: Config): Promise<Dispatch> {
  const { webhookAllowedNetworks, webhookHttpAllowed, webhookCaFile } = config
  return openDispatch({
    own: ownPlaces(config),
    allowedNetworks: webhookAllowedNetworks,
    httpAllowed: webhookHttpAllowed,
    trustedCertificates: webhookCaFile === null ? null : await readFile(webhookCaFile, 'utf8'),
  })
}

type Observers = {
  readonly metrics: Metrics
  readonly trace: Trace | null
  readonly banks: BankDirectory | undefined
  readonly log: Log
}

function observe(call: BankCall, { metrics, trace, banks, log }: Observers): void {
  const { bank, operation, milliseconds } = call
  const outcome = 'error' in call ? 'unreachable' : String(call.status)
  metrics.bankCalls.observe({ bank, operation, outcome }, milliseconds / 1000)
  trace?.addCall(
    { name: `bank ${operation}`, milliseconds, failed: outcomeOfCall(call) === 'failed' },
    { 'havn.bank': bank, 'havn.operation': operation, 'havn.outcome': outcome },
  )
  log.debug(call, 'a bank was called')
  banks?.recordCall(bank, outcomeOfCall(call), circuitOf(operation)).catch((error: unknown) => {
    log.warn({ bank, error }, 'the health of a bank could not be kept')
  })
}

function observeRegistry(call: RegistryCall, { metrics, trace, log }: Omit<Observers, 'banks'>): void {
  const { registry, operation, outcome, milliseconds } = call
  metrics.registryCalls.observe({ registry, operation, outcome }, milliseconds / 1000)
  trace?.addCall(
    { name: `registry ${operation}`, milliseconds, failed: outcome === 'unreachable' },
    { 'havn.registry': registry, 'havn.operation': operation, 'havn.outcome': outcome },
  )
  log.debug(call, 'a company registry was asked')
}

function observeProvider(call: ProviderCall, { metrics, trace, log }: Omit<Observers, 'banks'>): void {
  const { provider, operation, outcome, milliseconds } = call
  metrics.fxCalls.observe({ provider, operation, outcome }, milliseconds / 1000)
  trace?.addCall(
    { name: `provider ${operation}`, milliseconds, failed: outcome === 'unreachable' },
    { 'havn.provider': provider, 'havn.operation': operation, 'havn.outcome': outcome },
  )
  log.debug(call, 'the provider of exchange was called')
}
