/** Assembles the sandbox's identity provider: its state, its servers, and the database of its faults. */

import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { movableClock } from '../../gateway/platform/clock.ts'
import { type Database, openDatabase } from '../../gateway/platform/database/database.ts'
import { migrate } from '../../gateway/platform/database/migrate.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { messagePage } from '../bank/pages/layout.ts'
import { closablePort } from '../closable-port.ts'
import { statusOfError } from '../control-scope.ts'
import { storeFaultsIn } from '../fault-list.ts'
import { updatePort } from '../fault-routes.ts'
import { listenAt, openPageServer, sendPage, urlAt } from '../page-server.ts'
import { controlRoutes } from './control-routes.ts'
import { openFaults } from './faults.ts'
import { openGrants } from './grants.ts'
import { pageRoutes } from './page-routes.ts'
import { protocolRoutes } from './protocol-routes.ts'
import type { ProviderState } from './provider-state.ts'
import { openSigningKeys } from './signing-keys.ts'

export type IdentityProviderSettings = {
  readonly host: string
  /** Of its pages and its protocol; 0 selects a free port. */
  readonly port: number
  /** Of its control API; 0 selects a free port. */
  readonly controlPort: number
  readonly log: Log
  /** The public URL, when it differs from the listening address. */
  readonly url?: string | null
  /** The database in which faults survive a restart; without it they end with the program, like all else here. */
  readonly connectionString?: string | null
}

export type SandboxIdentityProvider = {
  /** Pages and protocol, without a trailing slash. */
  readonly url: string
  /** Control API, without a trailing slash. */
  readonly controlUrl: string
  close(): Promise<void>
}

const SLOW_MILLISECONDS = 3_000
const SCHEMA = 'sandbox_identity'
/** Public: it only protects invented persons. */
const CLIENT = { id: 'havn', secret: 'havn-sandbox-secret' }

/** Resolves when the servers listen. */
export async function startIdentityProvider(settings: IdentityProviderSettings): Promise<SandboxIdentityProvider> {
  const clock = movableClock()
  const place = { url: '' }
  const database = await openFaultDatabase(settings)
  const server = openPageServer({ closing: 'all' })
  const state: ProviderState = {
    get url() {
      return place.url
    },
    log: settings.log,
    clock,
    keys: openSigningKeys(),
    faults: openFaults(database === null ? undefined : storeFaultsIn(database)),
    port: closablePort(createServer((request, response) => server.routing(request, response))),
    grants: openGrants(clock),
    client: { ...CLIENT, publicKey: null },
  }
  await state.faults.load()
  serveProvider(state, server)
  const control = openPageServer({ closing: 'all' })
  control.register(async (scope) => controlRoutes(state, scope), { prefix: '/control' })
  await server.ready()
  const port = await state.port.listen(settings)
  await updatePort(state)
  place.url = settings.url ?? urlAt('http', settings.host, port)
  return {
    url: place.url,
    controlUrl: await listenAt(control, settings.host, settings.controlPort),
    close: async () => {
      await Promise.all([server.close(), state.port.setOpen(false), control.close()])
      await state.faults.idle()
      await database?.close()
    },
  }
}

async function openFaultDatabase({
  connectionString = null,
}: IdentityProviderSettings): Promise<Database<Readonly<Record<string, never>>> | null> {
  if (connectionString === null) {
    return null
  }
  const settings = { connectionString, applicationName: 'havn sandbox identity', connectionsMax: 1, schema: SCHEMA }
  const database = openDatabase<Readonly<Record<string, never>>>(settings)
  const { pool } = database
  await migrate(connectionString, new URL('./migrations/', import.meta.url), { schema: SCHEMA, pool })
  return database
}

function serveProvider(state: ProviderState, server: FastifyInstance): void {
  server.register(async (scope) => {
    injectFaults(state, scope)
    pageRoutes(state, scope)
    protocolRoutes(state, scope)
  })
  server.setNotFoundHandler((_request, reply) =>
    sendPage(reply, 404, messagePage('Identity provider', 'Not found', 'There is nothing here.')),
  )
  server.setErrorHandler(async (error, _request, reply) => {
    const status = statusOfError(error)
    state.log.error({ err: error }, 'a request failed')
    return reply.code(status).send({ error: 'server_error' })
  })
}

function injectFaults({ faults }: ProviderState, scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    const slow = faults.strikes('slow')
    if (slow !== undefined) {
      await pause(slow.milliseconds ?? SLOW_MILLISECONDS)
    }
    if (faults.strikes('unavailable') !== undefined) {
      await reply.code(503).send({ error: 'temporarily_unavailable' })
    }
  })
}
