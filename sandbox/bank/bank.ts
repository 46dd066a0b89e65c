/** Puts the sandbox bank together: its database, its clock, its two servers and its sweep. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { movableClock } from '../../gateway/platform/clock.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { openActivity } from '../due-scan-loop.ts'
import { openAccounts } from './accounts/open-accounts.ts'
import type { Addresses, BankContext } from './bank-context.ts'
import { loadClock } from './clock-store.ts'
import { openFaults } from './faults.ts'
import type { World } from './fixture.ts'
import type { TrustSettings } from './identity/mtls-server.ts'
import { demoWorld } from './load-fixture.ts'
import { withScriptedUsers } from './outcomes/scripted-user-lookup.ts'
import { pagesServer } from './pages/pages-server.ts'
import { orderInserter } from './payments/order-inserter.ts'
import { openPush } from './push-notifications.ts'
import { startSweep } from './sweep.ts'
import type { Tables } from './tables.ts'
import type { InspectedAnswer } from './xs2a/inspect-answers.ts'
import { xs2aServer } from './xs2a/xs2a-server.ts'

export type SandboxBankSettings = {
  readonly connectionString: string
  readonly host: string
  /** 0 takes a free port. */
  readonly pagesPort: number
  readonly xs2aPort: number
  readonly log: Log
  /** Where browsers reach the pages, when that is not where the server listens. */
  readonly pagesUrl?: string
  /** Has XS2A speak TLS, and demand certificates and signatures; without it, http and neither. */
  readonly trust?: TrustSettings
  /** Control address of the provider of exchange, which is told what is paid to its accounts. */
  readonly fxUrl?: string
  /** Another world than the demo one, for tests of other profiles. */
  readonly world?: World
  /** Says what is wrong with an answer; for tests. */
  readonly judge?: (answer: InspectedAnswer) => readonly string[]
}

export type SandboxBank = {
  /** Without a final slash; each bank's base path follows. */
  readonly xs2aUrl: string
  /** Pages and control API, without a final slash. */
  readonly pagesUrl: string
  /** Answers that the judge found fault with. */
  violations(): readonly string[]
  /** Finishes what is under way and ends. */
  close(): Promise<void>
}

const SCHEMA = 'sandbox_bank'
const CONNECTIONS_MAX = 8

/** Starts the bank; when this returns, it serves. */
export async function startSandboxBank(settings: SandboxBankSettings): Promise<SandboxBank> {
  await migrate(settings.connectionString, new URL('./migrations/', import.meta.url), SCHEMA)
  const context = openContext(settings)
  await loadClock(context)
  await openAccounts(context)
  const violations: string[] = []
  const { judge } = settings
  const inspector = judge && { judge, report: (violation: string) => violations.push(violation) }
  const activity = openActivity()
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

function openContext({ connectionString, log, world, fxUrl }: SandboxBankSettings): BankContext {
  const addresses: Addresses = { xs2aUrl: '', pagesUrl: '' }
  const database = openDatabase<Tables>({
    connectionString,
    applicationName: 'havn sandbox bank',
    connectionsMax: CONNECTIONS_MAX,
    schema: SCHEMA,
  })
  return {
    world: withScriptedUsers(world ?? demoWorld()),
    database,
    insertOrder: orderInserter(database),
    clock: movableClock(),
    log,
    faults: openFaults(),
    revoked: new Set(),
    push: openPush(log),
    addresses,
    fxUrl: fxUrl ?? null,
  }
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  const taken = server.addresses().find(isAddress)
  if (taken === undefined) {
    throw new Error('The sandbox bank listens nowhere')
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken.port}`
}

function isAddress(address: AddressInfo | string): address is AddressInfo {
  return typeof address !== 'string'
}
