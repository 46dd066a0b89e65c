/** Assembles the sandbox's FX provider: its database, its clock, its server and its sweep. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { movableClock } from '../../gateway/platform/clock.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { trackRequestActivity } from '../due-scan-loop.ts'
import { openPageServer } from '../page-server.ts'
import { loadClock } from './clock-store.ts'
import { controlRoutes } from './control/routes.ts'
import { openFaults } from './faults.ts'
import { pageRoutes } from './overview-page.ts'
import type { AnswerValidator } from './protocol/inspect-answers.ts'
import { type Inspector, publicRoutes } from './protocol/public-routes.ts'
import { openSessions } from './protocol/sessions.ts'
import type { ProviderContext } from './provider-context.ts'
import { startSweep } from './sweep.ts'
import type { Tables } from './tables.ts'

export type FxProviderSettings = {
  readonly connectionString: string
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly log: Log
  /** URL for notifications; none are sent without it. */
  readonly noticeUrl?: string
  /** Calls per minute before 429; the production limit by default. */
  readonly callsPerMinute?: number
  /** Validates each response; for tests. */
  readonly validate?: AnswerValidator
}

export type SandboxFxProvider = {
  /** Public API (below `/v2`) and control API, without a trailing slash. */
  readonly url: string
  /** Violations that the validator has found in responses. */
  violations(): readonly string[]
  close(): Promise<void>
}

const SCHEMA = 'sandbox_fx'
const CONNECTIONS_MAX = 6
const CALLS_PER_MINUTE = 500

/** Resolves when the server listens. */
export async function startSandboxFx(settings: FxProviderSettings): Promise<SandboxFxProvider> {
  const context = openContext(settings)
  const { pool } = context.database
  await migrate(settings.connectionString, new URL('./migrations/', import.meta.url), { schema: SCHEMA, pool })
  await loadClock(context)
  const violations: string[] = []
  const activity = trackRequestActivity()
  const sweep = startSweep(context, activity)
  const server = openPageServer({ closing: 'all' })
  activity.follow(server)
  const inspect: Inspector = (answer) => void violations.push(...(settings.validate?.(answer) ?? []))
  server.register(async (scope) => pageRoutes(context, scope))
  server.register(async (scope) => publicRoutes(context, sweep, inspect, scope), { prefix: '/v2' })
  server.register(async (scope) => controlRoutes(context, sweep, scope), { prefix: '/control' })
  return {
    url: await listen(server, settings),
    violations: () => violations,
    close: async () => {
      await server.close()
      await sweep.stop()
      await context.database.close()
    },
  }
}

function openContext({ connectionString, log, noticeUrl, callsPerMinute }: FxProviderSettings): ProviderContext {
  const clock = movableClock()
  return {
    database: openDatabase<Tables>({
      connectionString,
      applicationName: 'havn sandbox fx',
      connectionsMax: CONNECTIONS_MAX,
      schema: SCHEMA,
    }),
    clock,
    log,
    faults: openFaults(),
    sessions: openSessions(clock),
    notices: { url: noticeUrl ?? null },
    limits: { perMinute: callsPerMinute ?? CALLS_PER_MINUTE, since: null, taken: 0 },
    calls: new Map(),
  }
}

async function listen(server: FastifyInstance, { host, port }: FxProviderSettings): Promise<string> {
  await server.listen({ host, port })
  const taken = server.addresses().find(isAddress)
  if (taken === undefined) {
    throw new Error("The sandbox's FX provider does not listen")
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken.port}`
}

function isAddress(address: AddressInfo | string): address is AddressInfo {
  return typeof address !== 'string'
}
