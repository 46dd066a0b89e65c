/** Assembles the sandbox bank: its database, its clock, its two servers and its sweep. */
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { movableClock } from '../../gateway/platform/clock.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import { offsetPort } from '../../gateway/platform/http/offset-port.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { loadClock } from '../business-clock.ts'
import { trackRequestActivity } from '../due-scan-loop.ts'
import { storeFaultsIn } from '../fault-list.ts'
import { listenAt, urlAt } from '../page-server.ts'
import { withScriptedUsers } from './authorisations/scripted-user-lookup.ts'
import { lockBasketTarget } from './baskets/basket-sca-target.ts'
import { lockConsentTarget } from './consents/authorise-consent.ts'
import type { Addresses, Context } from './context.ts'
import { openFaults } from './faults.ts'
import type { BankFixture } from './fixture.ts'
import { createMtlsServer, type MtlsSettings } from './identity/mtls-server.ts'
import { openAccounts } from './ledger/open-accounts.ts'
import { loadDemoFixture } from './load-fixture.ts'
import { pagesServer } from './pages-server.ts'
import { createOrderInserter } from './payments/order-inserter.ts'
import { lockCancellationTarget, lockPaymentTarget } from './payments/payment-sca-target.ts'
import { openPushSender } from './push-notifications.ts'
import { startSweep } from './sweep.ts'
import type { Tables } from './tables.ts'
import { openBankPorts } from './xs2a/bank-ports.ts'
import type { InspectedAnswer } from './xs2a/inspect-answers.ts'
import { xs2aServer } from './xs2a-server.ts'

export type SandboxBankSettings = {
  readonly connectionString: string
  readonly host: string
  /** 0 selects a free port. */
  readonly pagesPort: number
  /** The first bank's, which those of the others follow; 0 selects free ones. */
  readonly xs2aPort: number
  readonly log: Log
  /** The public URL of the pages, when it differs from the listening address. */
  readonly pagesUrl?: string | null
  /** Enables TLS, client certificates and signatures for XS2A; plain http without any of them when absent. */
  readonly trust?: MtlsSettings
  /** Control URL of the FX provider, which is notified of payments to its accounts. */
  readonly fxUrl?: string | null
  /** A fixture other than the demo one, for tests of other profiles. */
  readonly fixture?: BankFixture
  /** Validates each response; for tests. */
  readonly validate?: (answer: InspectedAnswer) => readonly string[]
}

export type SandboxBank = {
  /** The first bank's, without a trailing slash; each bank's base path follows. */
  readonly xs2aUrl: string
  /** The URL of a bank by its base path, at its own port. */
  urlOf(basePath: string): string
  /** Pages and control API, without a trailing slash. */
  readonly pagesUrl: string
  /** Violations that the validator has found in responses. */
  violations(): readonly string[]
  /** Completes the work in progress and stops. */
  close(): Promise<void>
}

const SCHEMA = 'sandbox_bank'
const CONNECTIONS_MAX = 8
/** Longer than clients keep idle connections, so that no request meets a connection that is being closed. */
const SERVER_OPTIONS = { keepAliveTimeout: 72_000 }

/** Resolves when the servers listen. */
export async function startSandboxBank(settings: SandboxBankSettings): Promise<SandboxBank> {
  const context = openContext(settings)
  const { pool } = context.database
  await migrate(settings.connectionString, new URL('./migrations/', import.meta.url), { schema: SCHEMA, pool })
  await loadClock(context)
  await context.faults.load()
  await openAccounts(context)
  const violations: string[] = []
  const { validate } = settings
  const inspector = validate && { validate, report: (violation: string) => violations.push(violation) }
  const activity = trackRequestActivity()
  const sweep = startSweep(context, activity)
  const xs2a = xs2aServer(context, { inspector, trust: settings.trust })
  const pages = pagesServer(context, sweep)
  for (const server of [xs2a, pages]) {
    activity.follow(server)
  }
  const xs2aUrl = await listenXs2a(context, xs2a, settings)
  const listensAt = await listenAt(pages, settings.host, settings.pagesPort)
  context.addresses.pagesUrl = settings.pagesUrl ?? listensAt
  return {
    xs2aUrl,
    pagesUrl: context.addresses.pagesUrl,
    urlOf: (basePath) => context.addresses.bankUrls.get(basePath) ?? '',
    violations: () => violations,
    close: async () => {
      await Promise.all([xs2a.close(), context.ports.close(), pages.close()])
      await sweep.stop()
      await context.push.idle()
      await context.faults.idle()
      await context.database.close()
    },
  }
}

function openContext({ connectionString, log, fixture, fxUrl }: SandboxBankSettings): Context {
  const addresses: Addresses = { bankUrls: new Map(), pagesUrl: '' }
  const banks = withScriptedUsers(fixture ?? loadDemoFixture())
  const database = openDatabase<Tables>({
    connectionString,
    applicationName: 'havn sandbox bank',
    connectionsMax: CONNECTIONS_MAX,
    schema: SCHEMA,
  })
  const faults = openFaults(storeFaultsIn(database))
  return {
    fixture: banks,
    database,
    insertOrder: createOrderInserter(database),
    scaTargets: {
      payment: lockPaymentTarget,
      cancellation: lockCancellationTarget,
      consent: lockConsentTarget,
      basket: lockBasketTarget,
    },
    clock: movableClock(),
    log,
    faults,
    ports: openBankPorts(banks.banks, faults),
    revoked: new Set(),
    push: openPushSender(log),
    addresses,
    fxUrl: fxUrl ?? null,
  }
}

/** Returns the URL of the first bank. */
async function listenXs2a(
  { addresses, fixture, ports }: Context,
  xs2a: FastifyInstance,
  { host, xs2aPort, trust }: SandboxBankSettings,
): Promise<string> {
  await xs2a.ready()
  const createBankServer = () =>
    trust === undefined
      ? createServer(SERVER_OPTIONS, xs2a.routing)
      : createMtlsServer(trust, SERVER_OPTIONS, xs2a.routing)
  const firstPort = await ports.listen({ host, firstPort: xs2aPort, createServer: createBankServer })
  await ports.update()
  const first = urlAt(trust === undefined ? 'http' : 'https', host, firstPort)
  addresses.bankUrls = new Map(
    fixture.banks.map(({ basePath }, index) => [basePath, `${offsetPort(first, index)}/${basePath}`]),
  )
  return first
}
