/** Puts the gateway together: the server with every room's routes. Workers do not load it, as it is most of the code. */
import type { FastifyInstance } from 'fastify'
import { serveReference } from '../../docs-site/routes.ts'
import { serveAccounts } from '../accounts/routes.ts'
import { serveApprovals } from '../approvals/routes.ts'
import { authenticator } from '../auth/authenticate.ts'
import { permissionRequirer } from '../auth/client-permissions.ts'
import { type Admission, openAdmission } from '../auth/credential-cache.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { serveAuth } from '../auth/routes.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import { serveBanks } from '../banks/directory/routes.ts'
import { refusalForPartner } from '../banks/refusal-for-partner.ts'
import { serveCancellations } from '../cancellations/routes.ts'
import { composeSweeps } from '../compose-sweeps.ts'
import type { Consent } from '../consents/consent.ts'
import { consentRequirer } from '../consents/require-consent.ts'
import { serveConsents } from '../consents/routes.ts'
import { serveEntries } from '../entries/routes.ts'
import { requestFinder } from '../foundation/http/idempotency.ts'
import { serveFxNotices } from '../fx/notice-routes.ts'
import { serveCountries } from '../fx/payment-requirements/country-routes.ts'
import { serveFx } from '../fx/routes.ts'
import type { GatewayContext } from '../gateway-context.ts'
import { serveIdentityReturns } from '../identity/routes.ts'
import { serveOnboardingPages } from '../onboarding/pages/page-routes.ts'
import { serveOnboarding } from '../onboarding/routes.ts'
import { polling } from '../orders/jobs.ts'
import { recordUnchanged } from '../orders/status/record-unchanged-payments.ts'
import { servePaymentHints, servePayments } from '../payments/routes.ts'
import { placingsOf } from '../payrolls/placings.ts'
import { servePayrolls } from '../payrolls/routes.ts'
import { openSharedClockReader } from '../platform/database/business-clock-store.ts'
import { servePublicHealth } from '../platform/http/health-endpoints.ts'
import { serveWith } from '../platform/http/operations/serve-operation.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { serveStyle } from '../platform/http/pages/page.ts'
import { registerRateLimits } from '../platform/http/rate-limit.ts'
import { openServer } from '../platform/http/server.ts'
import { traceRequests } from '../platform/http/trace-requests.ts'
import { openDueNotifier } from '../platform/jobs/due-row-notification.ts'
import { readiness } from '../readiness.ts'
import { serveSigning } from '../signing/routes.ts'
import { signingKindsOf } from '../signing-kinds.ts'
import type { MovableSweep } from '../simulation/advance-clock-in-steps.ts'
import { CLOCK_ANSWER_MILLISECONDS, openClockMoves } from '../simulation/clock-moves.ts'
import { resumeMove } from '../simulation/move-clock.ts'
import { serveSimulation } from '../simulation/routes.ts'
import { openProgramControl, openSandboxControl, type SandboxControl } from '../simulation/sandbox-control.ts'
import { serveWebhooks } from '../webhooks/routes.ts'
import { serveOperatorsHealth } from './compose-operator-server.ts'
import { connectionSettings } from './connection-settings.ts'
import { rateLimiter } from './rate-limits.ts'
import { serveOpenApi } from './serve-open-api.ts'

/** By how much a gateway's business time may be behind that of another that moves it. */
const CLOCK_BEHIND_MILLISECONDS = 200

/** The server with every route; it listens nowhere yet. */
export async function composeServer(
  context: GatewayContext,
  clockAnswerMilliseconds = CLOCK_ANSWER_MILLISECONDS,
): Promise<FastifyInstance> {
  const { config, log, metrics, trace } = context
  // Whatever a request made due is written by now.
  const notifyWorkers = openDueNotifier(context.database, log)
  const server = openServer({
    log,
    trustProxy: config.trustProxy,
    connections: connectionSettings(context),
    observe: ({ method, route, status, milliseconds }) => {
      metrics.requests.observe({ method, route, status: String(status) }, milliseconds / 1000)
      notifyWorkers()
    },
  })
  if (trace !== null) {
    traceRequests(server, trace)
  }
  if (config.mode === 'sandbox') {
    keepClockInStep(server, context)
  }
  server.addHook('onClose', () => placingsOf(context).end())
  await registerRateLimits(server)
  serveStyle(server)
  if (config.mode === 'sandbox' && config.operatorPort === 0) {
    serveOperatorsHealth(server, context)
  } else {
    servePublicHealth(server, { isReady: readiness(context) })
  }
  serveOpenApi(server, config)
  await serveReference(server, config)
  serveSigning(server, context, signingKindsOf(context))
  serveIdentityReturns(server, context)
  serveOnboardingPages(server, context)
  servePaymentHints(server, context)
  serveFxNotices(server, context)
  const admission = openAdmission(context)
  const serve = pipeline(server, context, admission)
  serveOperations(serve, context, admission)
  if (config.mode === 'sandbox') {
    serveSandbox(server, serve, context, clockAnswerMilliseconds)
  }
  return server
}

/** Another gateway may have moved the clock. Without a database each request says so itself. */
function keepClockInStep(server: FastifyInstance, { database, clock }: GatewayContext): void {
  const read = openSharedClockReader(database, clock, CLOCK_BEHIND_MILLISECONDS)
  server.addHook('onRequest', async () => await read().catch(() => undefined))
}

function serveOperations(serve: Serve<PartnerCaller, Consent>, context: GatewayContext, admission: Admission): void {
  serveAuth(serve, context, admission)
  serveBanks(serve, context)
  serveCountries(serve)
  serveOnboarding(serve, context)
  serveConsents(serve, context)
  serveAccounts(serve, context)
  serveFx(serve, context)
  servePayments(serve, context)
  servePayrolls(serve, context)
  serveApprovals(serve, context)
  serveCancellations(serve, context)
  serveEntries(serve, context)
  serveWebhooks(serve, context)
}

/** A move of the clock that a process did not complete continues once the next one listens. */
function serveSandbox(
  server: FastifyInstance,
  serve: Serve<PartnerCaller, Consent>,
  context: GatewayContext,
  clockAnswerMilliseconds: number,
): void {
  const { sandboxBankUrl, sandboxFxUrl } = context.config
  const bank = sandboxBankUrl === null ? null : openSandboxControl(sandboxBankUrl)
  const provider = sandboxFxUrl === null ? null : openProgramControl(sandboxFxUrl, "sandbox's provider of exchange")
  const moves = openClockMoves(context.log, clockAnswerMilliseconds)
  const moving = { sweeps: movableSweeps(context, bank), bank, provider, moves }
  serveSimulation(serve, context, { ...moving, kinds: signingKindsOf(context) })
  server.addHook('onListen', async () => moves.inBackground(resumeMove(context, moving)))
  server.addHook('preClose', () => moves.stop())
}

function movableSweeps(context: GatewayContext, bank: SandboxControl | null): readonly MovableSweep[] {
  const prepare = bank === null ? undefined : () => recordUnchanged(context, (reads) => bank.unchangedOf(reads))
  return composeSweeps(context)
    .filter(({ time }) => time === 'business')
    .map((sweep) => (sweep.name === polling.name && prepare !== undefined ? { ...sweep, prepare } : sweep))
}

function pipeline(
  server: FastifyInstance,
  context: GatewayContext,
  admission: Admission,
): Serve<PartnerCaller, Consent> {
  const { config, database, seal, clock, log } = context
  return serveWith<PartnerCaller, Consent>({
    server,
    gatekeepers: {
      authenticate: authenticator(context, admission),
      requirePermission: permissionRequirer(admission),
      requireConsent: consentRequirer(context),
      translate: (error) => (error instanceof BankRefusal ? refusalForPartner(error) : error),
      ...rateLimiter(server, config),
    },
    idempotency: { pool: database.pool, seal, clock, find: requestFinder(database.pool) },
    privatePsuAddressesAllowed: config.mode === 'sandbox',
    reportFault: (fault) => log.error(fault, 'a request failed for a fault of ours'),
    reportBroken: (broken) => log.warn(broken, 'an answer was broken off after it had begun'),
  })
}
