/** Assembles the sandbox's identity provider: its state and its server. */
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { movableClock } from '../../gateway/platform/clock.ts'
import type { Log } from '../../gateway/platform/observability/log.ts'
import { openPageServer } from '../page-server.ts'
import { controlRoutes } from './control-routes.ts'
import { openFaults } from './faults.ts'
import { openGrants } from './grants.ts'
import { pageRoutes } from './page-routes.ts'
import { messagePage } from './pages.ts'
import { protocolRoutes } from './protocol-routes.ts'
import type { ProviderState } from './provider-state.ts'
import { openSigningKeys } from './signing-keys.ts'

export type IdentityProviderSettings = {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  readonly log: Log
  /** The public URL, when it differs from the listening address. */
  readonly url?: string
}

export type SandboxIdentityProvider = {
  /** Pages, protocol and control API, without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

const SLOW_MILLISECONDS = 3_000
/** Public: it only protects invented persons. */
const CLIENT = { id: 'havn', secret: 'havn-sandbox-secret' }

/** Resolves when the server listens. */
export async function startIdentityProvider(settings: IdentityProviderSettings): Promise<SandboxIdentityProvider> {
  const clock = movableClock()
  const place = { url: '' }
  const state: ProviderState = {
    get url() {
      return place.url
    },
    log: settings.log,
    clock,
    keys: openSigningKeys(),
    faults: openFaults(),
    grants: openGrants(clock),
    client: { ...CLIENT, publicKey: null },
  }
  const server = serverOf(state)
  await server.listen({ host: settings.host, port: settings.port })
  const port = server.addresses().find(isAddress)?.port
  place.url = settings.url ?? `http://${settings.host}:${port}`
  return { url: place.url, close: () => server.close() }
}

function serverOf(state: ProviderState): FastifyInstance {
  const server = openPageServer({ closing: 'all' })
  server.register(async (scope) => {
    injectFaults(state, scope)
    pageRoutes(state, scope)
    protocolRoutes(state, scope)
  })
  server.register(async (scope) => controlRoutes(state, scope), { prefix: '/control' })
  server.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(messagePage('Identity provider', 'Not found', 'There is nothing here.')),
  )
  server.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    state.log.error({ err: error }, 'a request failed')
    return reply.code(status).send({ error: 'server_error' })
  })
  return server
}

/** Applies to everything except the control API. */
function injectFaults({ faults }: ProviderState, scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    const slow = faults.strikes('slow')
    if (slow !== undefined) {
      await pause(slow.milliseconds ?? SLOW_MILLISECONDS)
    }
    if (faults.strikes('down') !== undefined) {
      await reply.code(503).send({ error: 'temporarily_unavailable' })
    }
  })
}

function isAddress(address: AddressInfo | string): address is AddressInfo {
  return typeof address !== 'string'
}
