/** Assembles the sandbox bank: its database, its clock, its two servers and its sweep. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { movableClock } from '../../gateway/platform/clock.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { trackRequestActivity } from '../due-scan-loop.ts'
import { openAccounts } from './accounts/open-accounts.ts'
import type { Addresses, BankContext } from './bank-context.ts'
import { loadClock } from './clock-store.ts'
import { openFaults } from './faults.ts'
import type { BankFixture } from './fixture.ts'
import type { MtlsSettings } from './identity/mtls-server.ts'
import { loadDemoFixture } from './load-fixture.ts'
import { withScriptedUsers } from './outcomes/scripted-user-lookup.ts'
import { pagesServer } from './pages/pages-server.ts'
import { createOrderInserter } from './payments/order-inserter.ts'
import { openPushSender } from './push-notifications.ts'
import { startSweep } from './sweep.ts'
import type { Tables } from './tables.ts'
import type { InspectedAnswer } from './xs2a/inspect-answers.ts'
import { xs2aServer } from './xs2a/xs2a-server.ts'

export type SandboxBankSettings = {
  readonly connectionString: string
  readonly host: string
  /** 0 selects a free port. */
  readonly pagesPort: number
  readonly xs2aPort: number
  readonly log: Log
  /** The public URL of the pages, when it differs from the listening address. */
  readonly pagesUrl?: string
  /** Enables TLS, client certificates and signatures for XS2A; plain http without any of them when absent. */
  readonly trust?: MtlsSettings
  /** Control URL of the FX provider, which is notified of payments to its accounts. */
  readonly fxUrl?: string
  /** A fixture other than the demo one, for tests of other profiles. */
  readonly fixture?: BankFixture
  /** Validates each response; for tests. */
  readonly validate?: (answer: InspectedAnswer) => readonly string[]
}

export type SandboxBank = {
  /** Without a trailing slash; each bank's base path follows. */
  readonly xs2aUrl: string
  /** Pages and control API, without a trailing slash. */
  readonly pagesUrl: string
  /** Violations that the validator has found in responses. */
  violations(): readonly string[]
  /** Completes the work in progress and stops. */
  close(): Promise<void>
}

const SCHEMA = 'sandbox_bank'
const CONNECTIONS_MAX = 8

/** Resolves when the servers listen. */
export async function startSandboxBank(settings: SandboxBankSettings): Promise<SandboxBank> {
  const context = openContext(settings)
  const { pool } = context.database
  await migrate(settings.connectionString, new URL('./migrations/', import.meta.url), { schema: SCHEMA, pool })
  await loadClock(context)
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
  const xs2aAddress = await listen(xs2a, settings.host, settings.xs2aPort)
  context.addresses.xs2aUrl = settings.trust === undefined ? xs2aAddress : xs2aAddress.replace(/^http:/, 'https:')
  const listensAt = await listen(pages, settings.host, settings.pagesPort)
  context.addresses.pagesUrl = settings.pagesUrl ?? listensAt
  return {
    ...context.addresses,
    violations: () => violations,
    close: async () => {
      await Promise.all([xs2a.close(), pages.close()])
      await sweep.stop()
      await context.push.idle()
      await context.database.close()
    },
  }
}

function openContext({ connectionString, log, fixture, fxUrl }: SandboxBankSettings): BankContext {
  const addresses: Addresses = { xs2aUrl: '', pagesUrl: '' }
  const database = openDatabase<Tables>({
    connectionString,
    applicationName: 'havn sandbox bank',
    connectionsMax: CONNECTIONS_MAX,
    schema: SCHEMA,
  })
  return {
    fixture: withScriptedUsers(fixture ?? loadDemoFixture()),
    database,
    insertOrder: createOrderInserter(database),
    clock: movableClock(),
    log,
    faults: openFaults(),
    revoked: new Set(),
    push: openPushSender(log),
    addresses,
    fxUrl: fxUrl ?? null,
  }
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  const taken = server.addresses().find(isAddress)
  if (taken === undefined) {
    throw new Error('The sandbox bank does not listen')
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken.port}`
}

function isAddress(address: AddressInfo | string): address is AddressInfo {
  return typeof address !== 'string'
}
