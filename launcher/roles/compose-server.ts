/** Composes the gateway's server with all routes; workers do not load this file. */

import type { FastifyInstance } from 'fastify'
import { apiCaller } from '../../console/home/first-steps/call-api.ts'
import { serveConsole } from '../../console/serve-console.ts'
import { operations } from '../../contract/operations.ts'
import { serveDocsSite } from '../../docs-site/routes.ts'
import { serveAccounts } from '../../gateway/accounts/routes.ts'
import { authenticator, type CredentialCache, openCredentialCache } from '../../gateway/auth/authenticate.ts'
import { findClientOfTokenRequest } from '../../gateway/auth/authenticate-client.ts'
import { permissionCheck, permissionRequirer } from '../../gateway/auth/client-permissions.ts'
import type { PartnerCaller } from '../../gateway/auth/partner-caller.ts'
import { serveAuth } from '../../gateway/auth/routes.ts'
import { serveScaSessions } from '../../gateway/authorisations/routes.ts'
import { serveBanks } from '../../gateway/banks/directory/routes.ts'
import type { Consent } from '../../gateway/consents/consent.ts'
import { requireConsent } from '../../gateway/consents/require-consent.ts'
import { serveConsents } from '../../gateway/consents/routes.ts'
import type { Context } from '../../gateway/context.ts'
import { serveEntries } from '../../gateway/entries/routes.ts'
import { serveFxNotifications } from '../../gateway/fx/notification-routes.ts'
import { serveCountries, serveFx } from '../../gateway/fx/routes.ts'
import { serveIdentityCallbacks } from '../../gateway/identity/routes.ts'
import { serveOnboardingPages } from '../../gateway/onboarding/pages/page-routes.ts'
import { serveOnboarding } from '../../gateway/onboarding/routes.ts'
import { polling } from '../../gateway/orders/status/poll-schedule.ts'
import { servePaymentNotifications, servePayments } from '../../gateway/payments/routes.ts'
import { servePayrolls } from '../../gateway/payrolls/routes.ts'
import { createSharedClockReader } from '../../gateway/platform/database/business-clock-store.ts'
import { logServerError } from '../../gateway/platform/http/errors/framework-error.ts'
import { servePublicHealth } from '../../gateway/platform/http/health-endpoints.ts'
import { createServe } from '../../gateway/platform/http/operations/serve-operation.ts'
import type { Exchange, Serve } from '../../gateway/platform/http/operations/served-operation.ts'
import { serveStyle } from '../../gateway/platform/http/pages/page.ts'
import { openServer } from '../../gateway/platform/http/server.ts'
import { traceRequests } from '../../gateway/platform/http/trace-requests.ts'
import { createDueNotifier } from '../../gateway/platform/jobs/due-row-notification.ts'
import type { Sweep } from '../../gateway/platform/jobs/sweep.ts'
import { withoutRedaction } from '../../gateway/platform/observability/log.ts'
import { readiness } from '../../gateway/readiness.ts'
import { serveRequestLog } from '../../gateway/request-log/routes.ts'
import type { MovableSweep } from '../../gateway/simulation/advance-clock-in-steps.ts'
import { CLOCK_MOVE_TIMES, type ClockMoveTimes, openClockMoves } from '../../gateway/simulation/clock-moves.ts'
import { resumeClockMoves } from '../../gateway/simulation/move-clock.ts'
import { recordUnchangedPayments } from '../../gateway/simulation/record-unchanged-payments.ts'
import { serveSimulation } from '../../gateway/simulation/routes.ts'
import {
  openProgramControl,
  openSandboxControl,
  type SandboxControl,
} from '../../gateway/simulation/sandbox-control.ts'
import type { Simulation } from '../../gateway/simulation/simulation.ts'
import { serveInbox, serveWebhooks } from '../../gateway/webhooks/routes.ts'
import { openTestDependencies, type TestDependencies } from '../../gateway/webhooks/subscriptions/test-subscription.ts'
import { serveHealthAndMetrics } from './compose-operator-server.ts'
import { composeSweeps, scaSubjectsOf } from './compose-sweeps.ts'
import { connectionSettings } from './connection-settings.ts'
import { rateLimiter } from './rate-limits.ts'
import { serveLandingPage, serveOpenApi } from './serve-descriptions.ts'
import { translateBankError } from './translate-bank-error.ts'

/** The maximum lag of a gateway's business time behind that of another gateway that moves it. */
const CLOCK_BEHIND_MILLISECONDS = 200

/** The server with every route, not listening yet. */
export async function composeServer(context: Context, clockMoveTimes = CLOCK_MOVE_TIMES): Promise<FastifyInstance> {
  const { config, log, metrics, trace } = context
  // At this point everything that a request made due is committed.
  const notifyWorkers = createDueNotifier(context.database, log)
  const server = openServer({
    log,
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    connections: connectionSettings(context),
    observe: ({ method, route, status, milliseconds, isCut }) => {
      if (!isCut) {
        metrics.requests.observe({ method, route, status: String(status) }, milliseconds / 1000)
      }
      notifyWorkers()
    },
  })
  if (trace !== null) {
    traceRequests(server, trace)
  }
  if (config.mode === 'sandbox') {
    synchroniseClock(server, context)
  }
  closeConnectionsWhileDraining(server, context)
  serveStyle(server)
  serveLandingPage(server, config)
  if (config.mode === 'sandbox' && config.operatorPort === 0) {
    serveHealthAndMetrics(server, context)
  } else {
    servePublicHealth(server, readiness(context))
  }
  serveOpenApi(server, config)
  serveDocsSite(server, config, context.clock)
  const simulation = config.mode === 'sandbox' ? openSimulation(context, clockMoveTimes) : null
  const webhookTests = openTestDependencies(context)
  const consoleContext = { ...context, simulation, webhookTests, sweeps: sweepsOnDemand(context) }
  serveConsole(server, { ...consoleContext, callApi: apiCaller(server) })
  serveScaSessions(server, context, scaSubjectsOf(context))
  serveIdentityCallbacks(server, context)
  serveOnboardingPages(server, context)
  servePaymentNotifications(server, context)
  serveFxNotifications(server, context)
  const credentialCache = openCredentialCache(context)
  const serve = pipeline(server, context, credentialCache)
  serveOperations(serve, context, { credentialCache, webhookTests })
  if (simulation !== null) {
    serveSandbox(server, serve, context, simulation)
  }
  return server
}

/** Clients that keep their connections open reach another gateway with their next request. */
function closeConnectionsWhileDraining(server: FastifyInstance, { draining }: Context): void {
  server.addHook('onRequest', async (request, reply) => {
    if (draining.signal.aborted && request.raw.httpVersionMajor === 1) {
      reply.header('connection', 'close')
    }
  })
}

/** Another gateway may have moved the clock. A failed read is ignored: each request reports a missing database itself. */
function synchroniseClock(server: FastifyInstance, { database, clock }: Context): void {
  const read = createSharedClockReader(database, clock, CLOCK_BEHIND_MILLISECONDS)
  server.addHook('onRequest', async () => await read().catch(() => undefined))
}

function serveOperations(
  serve: Serve<PartnerCaller, Consent>,
  context: Context,
  {
    credentialCache,
    webhookTests,
  }: { readonly credentialCache: CredentialCache; readonly webhookTests: TestDependencies },
): void {
  serveAuth(serve, context, credentialCache)
  serveBanks(serve, context)
  serveCountries(serve)
  serveOnboarding(serve, context)
  serveConsents(serve, context)
  serveAccounts(serve, context)
  serveFx(serve, context)
  servePayments(serve, context)
  servePayrolls(serve, context)
  serveEntries(serve, context)
  serveWebhooks(serve, context, webhookTests)
  serveRequestLog(serve, context, permissionCheck(credentialCache, 'payroll'))
}

/** Gateways run no sweeps: they are composed when a page first shows what is due. */
function sweepsOnDemand(context: Context): () => readonly Sweep[] {
  let sweeps: readonly Sweep[] | undefined
  return () => {
    sweeps ??= composeSweeps(context)
    return sweeps
  }
}

function openSimulation(context: Context, clockMoveTimes: ClockMoveTimes): Simulation {
  const { sandboxBankUrl, sandboxFxUrl } = context.config
  const bank = sandboxBankUrl === null ? null : openSandboxControl(sandboxBankUrl)
  const provider = sandboxFxUrl === null ? null : openProgramControl(sandboxFxUrl, "sandbox's FX provider")
  const moves = openClockMoves(context.log, clockMoveTimes)
  return { sweeps: movableSweeps(context, bank), bank, provider, moves, kinds: scaSubjectsOf(context) }
}

/** A clock move that a process did not complete is resumed by one that listens. */
function serveSandbox(
  server: FastifyInstance,
  serve: Serve<PartnerCaller, Consent>,
  context: Context,
  simulation: Simulation,
): void {
  const { moves } = simulation
  serveSimulation(serve, context, simulation)
  serveInbox(serve, context)
  server.addHook('onListen', async () => moves.inBackground(resumeClockMoves(context, simulation)))
  server.addHook('preClose', () => moves.stop())
}

function movableSweeps(context: Context, bank: SandboxControl | null): readonly MovableSweep[] {
  const prepare =
    bank === null ? undefined : () => recordUnchangedPayments(context, (reads) => bank.findUnchanged(reads))
  return composeSweeps(context)
    .filter(({ time }) => time === 'business')
    .map((sweep) => (sweep.name === polling.name && prepare !== undefined ? { ...sweep, prepare } : sweep))
}

/** The token endpoint identifies its client itself. */
function exchangeRecorder({ requestLog, log }: Context, credentialCache: CredentialCache) {
  return (exchange: Exchange): void => {
    if (exchange.operation.id !== operations.issueToken.id) {
      requestLog.record(exchange)
      return
    }
    findClientOfTokenRequest(credentialCache, exchange)
      .then((caller) => {
        if (caller !== undefined && exchange.answer.status >= 400) {
          log.warn(
            { requestId: exchange.request.id, client: caller.clientId },
            'a token request of a known client was rejected',
          )
        }
        requestLog.record({ ...exchange, caller })
      })
      .catch((error: unknown) => log.warn({ error }, 'the client of a token request could not be read'))
  }
}

function pipeline(
  server: FastifyInstance,
  context: Context,
  credentialCache: CredentialCache,
): Serve<PartnerCaller, Consent> {
  const { config, database, outcomes, seal, digest, clock, log } = context
  return createServe<PartnerCaller, Consent>({
    server,
    baseUrl: config.baseUrl,
    gatekeepers: {
      authenticate: authenticator(context, credentialCache),
      requirePermission: permissionRequirer(credentialCache),
      requireConsent: (caller, consentId, need) => requireConsent(context, caller, consentId, need),
      translate: (error) => translateBankError(log, error),
      ...rateLimiter(config),
    },
    idempotency: {
      pool: database.pool,
      seal,
      digest,
      clock,
      outcomes,
      log: withoutRedaction(log),
    },
    recordExchange: exchangeRecorder(context, credentialCache),
    privatePsuAddressesAllowed: config.mode === 'sandbox',
    reportInternalError: (fault) => logServerError(log, fault, 'a request failed with an internal error'),
    reportBroken: (broken) => log.warn(broken, 'a response was aborted after it had started'),
  })
}
