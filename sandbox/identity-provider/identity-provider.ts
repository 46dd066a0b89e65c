/** Puts the sandbox's identity provider together: its state, and the server on which everything of it is. */
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type FastifyInstance, fastify } from 'fastify'
import { movableClock } from '../../gateway/foundation/clock.ts'
import type { Log } from '../../gateway/foundation/log.ts'
import { controlRoutes } from './control-routes.ts'
import { openFaults } from './faults.ts'
import { openGrants } from './grants.ts'
import { pageRoutes } from './page-routes.ts'
import { saying } from './pages.ts'
import { protocolRoutes } from './protocol-routes.ts'
import type { ProviderState } from './provider-state.ts'
import { openSigningKeys } from './signing-keys.ts'

export type IdentityProviderSettings = {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly log: Log
  /** Where browsers and clients reach it, when that is not where it listens. */
  readonly url?: string
}

export type SandboxIdentityProvider = {
  /** Pages, protocol and control API, without a final slash. */
  readonly url: string
  close(): Promise<void>
}

const BODY_BYTES_MAX = 64 * 1024
const SLOW_MILLISECONDS = 3_000
/** Everybody knows it: it vouches for invented people only. */
const CLIENT = { id: 'havn', secret: 'havn-sandbox-secret' }
/** Forms lead back to the client: any https address, and plain http on this machine. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self' https: http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Starts it; when this returns, it serves. */
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
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    logger: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(text))))
  })
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
  })
  server.register(async (scope) => {
    disturb(state, scope)
    pageRoutes(state, scope)
    protocolRoutes(state, scope)
  })
  server.register(async (scope) => controlRoutes(state, scope), { prefix: '/control' })
  server.setNotFoundHandler(async (_request, reply) =>
    reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(saying('Identity provider', 'Not found', 'There is nothing here.')),
  )
  server.setErrorHandler(async (error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    state.log.error({ err: error }, 'a request failed')
    return reply.code(status).send({ error: 'server_error' })
  })
  return server
}

/** Everything but the control API is down, or late, when a test says so. */
function disturb({ faults }: ProviderState, scope: FastifyInstance): void {
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
