/** Assembles the sandbox's FX provider: its database, its clock, its server and its sweep. */
import { createServer } from 'node:http'
import { movableClock } from '../../gateway/platform/clock.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { loadClock } from '../business-clock.ts'
import { type ClosablePort, closablePort } from '../closable-port.ts'
import { trackRequestActivity } from '../due-scan-loop.ts'
import { storeFaultsIn } from '../fault-list.ts'
import { updatePort } from '../fault-routes.ts'
import { listenAt, openPageServer, urlAt } from '../page-server.ts'
import type { Context } from './context.ts'
import { controlRoutes } from './control/routes.ts'
import { openFaults } from './faults.ts'
import { pageRoutes } from './overview-page.ts'
import { openSessions } from './protocol/sessions.ts'
import { type AnswerValidator, type Inspector, publicRoutes } from './public-routes.ts'
import { startSweep } from './sweep.ts'
import type { Tables } from './tables.ts'

export type FxProviderSettings = {
  readonly connectionString: string
  readonly host: string
  /** Of its public API; 0 selects a free port. */
  readonly port: number
  /** Of its control API and its page; 0 selects a free port. */
  readonly controlPort: number
  readonly log: Log
  /** URL for notifications; none are sent without it. */
  readonly noticeUrl?: string | null
  /** Calls per minute before 429; the production limit by default. */
  readonly callsPerMinute?: number
  /** Validates each response; for tests. */
  readonly validate?: AnswerValidator
}

export type SandboxFxProvider = {
  /** Public API (below `/v2`), without a trailing slash. */
  readonly url: string
  /** Page and control API, without a trailing slash. */
  readonly controlUrl: string
  /** Violations that the validator has found in responses. */
  violations(): readonly string[]
  close(): Promise<void>
}

const SCHEMA = 'sandbox_fx'
const CONNECTIONS_MAX = 6
const CALLS_PER_MINUTE = 500
/** As of the sandbox banks: longer than clients keep idle connections. */
const SERVER_OPTIONS = { keepAliveTimeout: 72_000 }

/** Resolves when the servers listen. */
export async function startSandboxFx(settings: FxProviderSettings): Promise<SandboxFxProvider> {
  const server = openPageServer({ closing: 'all' })
  const port = closablePort(createServer(SERVER_OPTIONS, (request, response) => server.routing(request, response)))
  const context = openContext(settings, port)
  const { pool } = context.database
  await migrate(settings.connectionString, new URL('./migrations/', import.meta.url), { schema: SCHEMA, pool })
  await loadClock(context)
  await context.faults.load()
  const violations: string[] = []
  const activity = trackRequestActivity()
  const sweep = startSweep(context, activity)
  const control = openPageServer({ closing: 'all' })
  activity.follow(server)
  activity.follow(control)
  const inspect: Inspector = (answer) => void violations.push(...(settings.validate?.(answer) ?? []))
  server.register(async (scope) => publicRoutes(context, sweep, inspect, scope), { prefix: '/v2' })
  control.register(async (scope) => pageRoutes(context, scope))
  control.register(async (scope) => controlRoutes(context, sweep, scope), { prefix: '/control' })
  await server.ready()
  const url = urlAt('http', settings.host, await port.listen(settings))
  await updatePort(context)
  return {
    url,
    controlUrl: await listenAt(control, settings.host, settings.controlPort),
    violations: () => violations,
    close: async () => {
      await Promise.all([server.close(), port.setOpen(false), control.close()])
      await sweep.stop()
      await context.faults.idle()
      await context.database.close()
    },
  }
}

function openContext(
  { connectionString, log, noticeUrl, callsPerMinute }: FxProviderSettings,
  port: ClosablePort,
): Context {
  const clock = movableClock()
  const database = openDatabase<Tables>({
    connectionString,
    applicationName: 'havn sandbox fx',
    connectionsMax: CONNECTIONS_MAX,
    schema: SCHEMA,
  })
  return {
    database,
    clock,
    log,
    faults: openFaults(storeFaultsIn(database)),
    port,
    sessions: openSessions(clock),
    notices: { url: noticeUrl ?? null },
    limits: { perMinute: callsPerMinute ?? CALLS_PER_MINUTE, since: null, taken: 0 },
    calls: new Map(),
  }
}
